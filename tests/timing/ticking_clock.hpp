// A clock for tests that moves on by itself whenever it is read, as time does for whoever works without
// sleeping. Any thread may read.
#pragma once

#include <atomic>

#include "xrunlab/core/clock.hpp"

namespace xrunlab::test {

/// Ten microseconds a look.
class TickingClock final : public Clock {
 public:
  Nanoseconds now() const noexcept override { return Nanoseconds{now_ns_.fetch_add(10'000)}; }
  void sleep_until(Nanoseconds instant) noexcept override { now_ns_ = instant.count(); }

 private:
  mutable std::atomic<std::int64_t> now_ns_{1'000'000'000};
};

}  // namespace xrunlab::test
