// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// What a measuring thread of `latency` waits for: a timer, an interrupt or a card that wakes it at planned
// instants, and tells how late it was. One object a thread; all but the constructors runs on that thread.
#pragma once

#include <cstdint>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

enum class WakeStatus : std::uint8_t { woken, stopped, failed };

struct WakeUp {
  WakeStatus status = WakeStatus::woken;
  int error = 0;            ///< negative errno with `failed`
  Nanoseconds late{};       ///< behind its planned instant; below 0: too early
  std::int64_t missed = 0;  ///< wake-ups that came due behind it before the thread ran, an interval apart
  Nanoseconds at{};         ///< when the thread ran, CLOCK_MONOTONIC
};

/// Of the wake-ups planned behind one that is `late`, those whose instant has passed too.
constexpr std::int64_t missed_behind(Nanoseconds late, Nanoseconds interval) noexcept {
  return late.count() > 0 ? (late.count() - 1) / interval.count() : 0;
}

class WakeSource {
 public:
  virtual ~WakeSource() = default;

  /// Between two planned wake-ups.
  Nanoseconds interval() const noexcept { return interval_; }

  /// Planned instants may be so much earlier than the true ones, so that wake-ups seem later by it. Known
  /// once started.
  Nanoseconds origin_error() const noexcept { return origin_error_; }

  /// Arms it: the first wake-up is planned for `first`, or, where that cannot be chosen, for an interval
  /// after the call. 0 or a negative errno. Real-time.
  virtual int start(Nanoseconds first) noexcept = 0;

  /// Sleeps until the instant of the first planned wake-up that was not told yet. Real-time.
  virtual WakeUp wait() noexcept = 0;

  /// No wake-up is planned any more. Real-time.
  virtual void stop() noexcept {}

 protected:
  Nanoseconds interval_{};
  Nanoseconds origin_error_{};
};

}  // namespace xrunlab
