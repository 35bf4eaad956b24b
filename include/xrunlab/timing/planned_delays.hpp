// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The delays that --fault plans for one thread: when its time has come, each makes the thread late, once.
// Made in set-up; passed through by the playback, reader or decoder thread at the place where it can be late.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/timing/fault_count.hpp"

namespace xrunlab {

struct PlannedDelay {
  Nanoseconds at{};  ///< since the card's first start
  Nanoseconds length{};
  FaultCount* count = nullptr;
};

/// How a delay is spent. Asleep, a thread is late without taking the processor from another; at work, it
/// costs the CPU time that slow code would.
enum class SpentBy { sleeping, working };

class PlannedDelays {
 public:
  /// Allocates. What the counts point to, `clock` and `stop` must outlive it.
  PlannedDelays(std::vector<PlannedDelay> delays, SpentBy spent_by, Clock& clock,
                const std::atomic<bool>& stop);

  /// Spends every delay that is due at `now`; returns at once when none is. `started`: the card's first
  /// start, zero before it. A stop is seen within 50 ms. Thread: the one that is to be late. Real-time:
  /// wait-free while none is due.
  void pass(Nanoseconds now, Nanoseconds started) noexcept;

 private:
  void spend(Nanoseconds until) noexcept;

  std::vector<PlannedDelay> delays_;  ///< by `at`
  std::size_t next_ = 0;
  SpentBy spent_by_;
  Clock& clock_;
  const std::atomic<bool>& stop_;
};

}  // namespace xrunlab
