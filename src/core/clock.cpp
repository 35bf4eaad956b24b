#include "xrunlab/core/clock.hpp"

#include <cerrno>

namespace xrunlab {

void SystemClock::sleep_until(Nanoseconds instant) noexcept {
  const timespec until{instant.count() / kNsPerSecond, instant.count() % kNsPerSecond};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

void FakeClock::sleep_until(Nanoseconds instant) noexcept {
  auto seen = now_ns_.load(std::memory_order_relaxed);
  while (seen < instant.count() && !now_ns_.compare_exchange_weak(seen, instant.count())) {
  }
}

}  // namespace xrunlab
