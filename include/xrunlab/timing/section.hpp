// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// One timed section against its bound: a histogram of its durations and the count of those over the bound.
// One thread records, any thread may read; never on the stack of a real-time thread (36 KB).
#pragma once

#include <atomic>
#include <cstdint>

#include "xrunlab/timing/histogram.hpp"

namespace xrunlab {

/// What a section held at one moment; plain data.
struct SectionFigures {
  HistogramData histogram;
  std::int64_t over = 0;  ///< samples longer than the bound
};

class Section {
 public:
  explicit Section(Nanoseconds bound) noexcept : bound_ns_(bound.count()) {}

  /// Adds one duration; over the bound when it is longer (equal is within). Thread: the one writer.
  /// Real-time: wait-free.
  void record(Nanoseconds duration) noexcept {
    histogram_.record(duration);
    if (duration.count() > bound_ns_) over_.store(over() + 1, std::memory_order_relaxed);
  }

  Nanoseconds bound() const noexcept { return Nanoseconds{bound_ns_}; }

  /// Thread: any; exact once the writer has stopped. Allocates.
  SectionFigures snapshot() const { return {histogram_.snapshot(), over()}; }
  std::int64_t count() const noexcept { return histogram_.count(); }
  std::int64_t over() const noexcept { return over_.load(std::memory_order_relaxed); }

  /// The longest so far, 0 before the first. Thread: any. Real-time: wait-free.
  std::int64_t max_ns() const noexcept { return histogram_.max_ns() < 0 ? 0 : histogram_.max_ns(); }

 private:
  std::int64_t bound_ns_;
  std::atomic<std::int64_t> over_{0};
  Histogram histogram_;
};

}  // namespace xrunlab
