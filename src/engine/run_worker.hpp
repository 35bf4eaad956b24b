// A thread of a run with what it used and whether its body has returned. Private to stream_run; used by main.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/affinity.hpp"
#include "xrunlab/platform/scheduling.hpp"
#include "xrunlab/platform/thread.hpp"
#include "xrunlab/platform/thread_usage.hpp"

namespace xrunlab {

class RunWorker {
 public:
  void start(const std::string& name, const AffinityPlan& affinity, SchedSpec sched,
             std::function<void()> body) {
    name_ = name;
    thread_ = std::make_unique<Thread>(name, [this, affinity, sched, body = std::move(body)] {
      const auto own = affinity.find(name_);
      if (own != affinity.end()) pin_calling_thread(own->second);
      sched_ = apply_scheduling(sched);
      const ThreadUsage before = sample_thread_usage();
      set_up_.store(true, std::memory_order_release);
      body();
      usage_ = thread_data(name_, sched_.policy, before, sample_thread_usage());
      done_.store(true, std::memory_order_release);
    });
  }
  bool started() const noexcept { return thread_ != nullptr; }
  bool done() const noexcept { return done_.load(std::memory_order_acquire); }
  bool set_up() const noexcept { return set_up_.load(std::memory_order_acquire); }
  const SchedResult& sched() const noexcept { return sched_; }
  const ThreadData& usage() const noexcept { return usage_; }
  MemoryRange stack() const noexcept { return thread_->stack(); }
  pid_t id() const noexcept { return thread_->id(); }

  /// Joins; with a thread that does not end in time gives it up and returns false.
  bool join_within(Nanoseconds patience) {
    if (!thread_) return true;
    SystemClock clock;
    const Nanoseconds until = clock.now() + patience;
    while (!done() && clock.now() < until) clock.sleep_until(clock.now() + kJoinLook);
    if (!done()) {
      static_cast<void>(thread_.release());  // its destructor would wait for the thread
      return false;
    }
    thread_->join();
    return true;
  }

 private:
  static constexpr Nanoseconds kJoinLook = std::chrono::milliseconds{1};

  std::string name_;
  SchedResult sched_;
  ThreadData usage_;
  std::atomic<bool> set_up_{false};
  std::atomic<bool> done_{false};
  std::unique_ptr<Thread> thread_;
};

}  // namespace xrunlab
