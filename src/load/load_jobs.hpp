// What the kinds of load share: their entries, the threads of one load, and keeping a rate.
#pragma once

#include <functional>
#include <optional>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/load/load_worker.hpp"

namespace xrunlab {

void do_read_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);
void do_write_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);
void do_cpu_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);
void do_fault_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);
void do_exec_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);
void do_record_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);
/// Has a guard and signal handlers of its own: in a process of its own only.
void do_jack_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);

/// Whether the jobs of a load are to end: it was told to, or one of them has failed.
class JobsEnd {
 public:
  explicit JobsEnd(const std::atomic<bool>& stop) noexcept : stop_(stop) {}
  bool come() const noexcept {
    return stop_.load(std::memory_order_relaxed) || failed_.load(std::memory_order_relaxed);
  }
  void fail() noexcept { failed_.store(true, std::memory_order_relaxed); }

 private:
  const std::atomic<bool>& stop_;
  std::atomic<bool> failed_{false};
};

/// Runs `body(job, end)` for the jobs 0 … count − 1, each on a thread, until all have returned, and rethrows
/// what the first of them threw.
void run_jobs(int count, const std::atomic<bool>& stop, const std::function<void(int, JobsEnd&)>& body);

/// Random numbers of one job of one load: no two jobs of a run share them.
int stream_of(const LoadTask& task, int job) noexcept;

/// Holds a job to its share of the load's rate. What it was late by is not made up for when that is more than
/// a second.
class Pace {
 public:
  explicit Pace(const LoadSpec& spec) noexcept;

  /// Sleeps until the next operation of `size` bytes is due.
  void wait(Bytes size) noexcept;

 private:
  SystemClock clock_;
  std::optional<double> ns_per_byte_;
  Nanoseconds next_;
};

}  // namespace xrunlab
