// One round of a latency run: its measuring threads with all that they need. Private to latency_run; made,
// run and read by main.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run_worker.hpp"
#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/wake_event.hpp"
#include "xrunlab/engine/latency_request.hpp"
#include "xrunlab/engine/sample_file.hpp"
#include "xrunlab/engine/wake_loop.hpp"
#include "xrunlab/model/latency.hpp"

namespace xrunlab {

/// A thread in a round. Stays where it was made: its thread points to it.
struct MeasuringThread {
  std::unique_ptr<WakeSource> source;
  WakeCounts counts;
  std::optional<EventQueue<WakeSample>> samples;
  std::unique_ptr<WakeLoop> loop;
  std::vector<int> cpus;
  pid_t id = 0;
  WakeEvent ended;
  WakeEnd end = WakeEnd::stopped;
  RunWorker worker;
};

class RoundOfThreads {
 public:
  /// Opens the card or the rtc, allocates what the threads count into. Throws Error.
  RoundOfThreads(const LatencyRequest& request, Clock& clock, TraceMarker* marker,
                 std::vector<std::string>& warnings);
  RoundOfThreads(const RoundOfThreads&) = delete;
  RoundOfThreads& operator=(const RoundOfThreads&) = delete;
  ~RoundOfThreads() { tell_to_stop(); }

  /// Starts the threads; returns when each has its CPU, its priority and its work, before anything is
  /// measured. `lock` gets their stacks.
  void set_up(MemoryLock& lock);

  /// Lets them measure.
  void begin();

  bool done() const noexcept;
  void tell_to_stop() noexcept { stop_.store(true, std::memory_order_relaxed); }

  /// False when a thread is held by the kernel; then this object must not be destroyed.
  bool join();

  /// What wakes main when a thread has ended.
  std::vector<int> wakers() const;

  const std::vector<std::unique_ptr<MeasuringThread>>& threads() const noexcept { return threads_; }
  std::int64_t loops() const noexcept { return loops_; }
  Nanoseconds interval() const noexcept { return threads_.front()->source->interval(); }

  /// What was counted; of threads that have ended.
  LatencyRound figures() const;

 private:
  std::unique_ptr<WakeSource> make_source(std::vector<std::string>& warnings);
  LatencyThread thread_figures(const MeasuringThread& thread) const;

  const LatencyRequest& request_;
  Clock& clock_;
  std::atomic<bool> stop_{false};
  std::atomic<std::int64_t> start_ns_{0};  ///< 0: not yet
  std::atomic<std::size_t> prepared_{0};
  std::int64_t loops_ = 0;
  std::unique_ptr<Pcm> pcm_;
  std::vector<std::unique_ptr<MeasuringThread>> threads_;
};

}  // namespace xrunlab
