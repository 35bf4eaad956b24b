#include "xrunlab/disk/starvation_gate.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "xrunlab/core/clock.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

TEST(StarvationGate, TellsWhatIsWantedOnlyWhileSomebodyWaits) {
  StarvationGate gate;
  EXPECT_EQ(gate.wanted(), -1);
  gate.announce(4711);
  EXPECT_EQ(gate.wanted(), 4711);
  gate.withdraw();
  EXPECT_EQ(gate.wanted(), -1);
  gate.announce(5);
  gate.wake();
  EXPECT_EQ(gate.wanted(), -1);
}

TEST(StarvationGate, SleepReturnsAtOnceWhenItWasWokenBefore) {
  const SystemClock clock;
  StarvationGate gate;
  gate.announce(1);
  gate.wake();
  const auto start = clock.now();
  gate.sleep(60s);
  EXPECT_LT(clock.now() - start, 30s);
}

TEST(StarvationGate, SleepEndsAtItsLimit) {
  const SystemClock clock;
  StarvationGate gate;
  gate.announce(1);
  const auto start = clock.now();
  gate.sleep(5ms);
  EXPECT_GE(clock.now() - start, 5ms);
  EXPECT_EQ(gate.wanted(), 1);
}

// A wake-up that was lost would leave the waiter asleep for a minute.
TEST(StarvationGateThreads, TenThousandWaitsLoseNoWakeUp) {
  constexpr Frames kWaits = 10'000;
  const SystemClock clock;
  StarvationGate gate;
  std::atomic<Frames> published{0};
  std::atomic<Frames> consumed{0};
  std::thread filler([&] {
    for (Frames frame = 1; frame <= kWaits; ++frame) {
      while (consumed.load(std::memory_order_acquire) < frame - 1) std::this_thread::yield();
      published.store(frame, std::memory_order_release);
      const Frames wanted = gate.wanted();
      if (wanted >= 0 && wanted <= frame) gate.wake();
    }
  });
  Nanoseconds longest{};
  for (Frames frame = 1; frame <= kWaits; ++frame) {
    const auto start = clock.now();
    for (;;) {
      gate.announce(frame);
      if (published.load(std::memory_order_acquire) >= frame) break;
      gate.sleep(60s);
    }
    gate.withdraw();
    longest = std::max(longest, clock.now() - start);
    consumed.store(frame, std::memory_order_release);
  }
  filler.join();
  EXPECT_LT(longest, 50s);
}

}  // namespace
}  // namespace xrunlab
