// Reads CLOCK_MONOTONIC, or a hand-driven clock in tests so that a whole run works in virtual time. Any
// thread may read.
#pragma once

#include <time.h>

#include <atomic>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

class Clock {
 public:
  virtual ~Clock() = default;

  /// Nanoseconds since an arbitrary origin, never going back. Thread: any. Real-time: wait-free.
  virtual Nanoseconds now() const noexcept = 0;

  /// Returns when now() >= instant. Thread: any.
  virtual void sleep_until(Nanoseconds instant) noexcept = 0;
};

/// CLOCK_MONOTONIC.
class SystemClock final : public Clock {
 public:
  Nanoseconds now() const noexcept override {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return Nanoseconds{time.tv_sec * kNsPerSecond + time.tv_nsec};
  }
  void sleep_until(Nanoseconds instant) noexcept override;
};

/// Stands still until it is told to move; sleeping moves it at once.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(Nanoseconds start = std::chrono::seconds{1000}) noexcept : now_ns_(start.count()) {}

  Nanoseconds now() const noexcept override { return Nanoseconds{now_ns_.load(std::memory_order_relaxed)}; }
  void sleep_until(Nanoseconds instant) noexcept override;
  void advance(Nanoseconds by) noexcept { now_ns_.fetch_add(by.count(), std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> now_ns_;
};

}  // namespace xrunlab
