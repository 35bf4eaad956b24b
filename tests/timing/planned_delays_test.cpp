#include "xrunlab/timing/planned_delays.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/timing/ticking_clock.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

struct PlannedDelaysTest : testing::Test {
  FakeClock clock;
  std::atomic<bool> stop{false};
  std::array<FaultCount, 3> counts;
  Nanoseconds started = clock.now();

  void pass(PlannedDelays& delays) { delays.pass(clock.now(), started); }
};

TEST_F(PlannedDelaysTest, EachIsSpentOnceWhenItsTimeHasCome) {
  PlannedDelays delays({{2s, 30ms, &counts[1]}, {1s, 70ms, &counts[0]}}, SpentBy::sleeping, clock, stop);
  clock.advance(999ms);
  pass(delays);
  EXPECT_EQ(clock.now(), started + 999ms);
  clock.advance(3ms);
  pass(delays);
  EXPECT_EQ(clock.now(), started + 1072ms);
  pass(delays);
  EXPECT_EQ(clock.now(), started + 1072ms);
  clock.advance(1s);
  pass(delays);
  EXPECT_EQ(clock.now(), started + 2102ms);
  EXPECT_EQ(counts[0].count(), 1);
  EXPECT_EQ(counts[0].first(), started + 1002ms);
  EXPECT_EQ(counts[1].first(), started + 2072ms);
}

TEST_F(PlannedDelaysTest, OneThatFallsDueDuringAnotherFollowsIt) {
  PlannedDelays delays({{1s, 500ms, &counts[0]}, {1200ms, 100ms, &counts[1]}}, SpentBy::sleeping, clock,
                       stop);
  clock.advance(1s);
  pass(delays);
  EXPECT_EQ(clock.now(), started + 1600ms);
}

TEST_F(PlannedDelaysTest, NothingIsDueBeforeTheCardHasStarted) {
  PlannedDelays delays({{0s, 500ms, &counts[0]}}, SpentBy::sleeping, clock, stop);
  delays.pass(clock.now(), Nanoseconds{0});
  EXPECT_EQ(clock.now(), started);
  EXPECT_EQ(counts[0].count(), 0);
  EXPECT_FALSE(counts[0].first());
}

TEST_F(PlannedDelaysTest, AStopEndsADelay) {
  PlannedDelays delays({{0s, std::chrono::hours{1}, &counts[0]}}, SpentBy::sleeping, clock, stop);
  stop = true;
  pass(delays);
  EXPECT_EQ(clock.now(), started);
}

TEST_F(PlannedDelaysTest, WorkTakesAsLongAsSleep) {
  test::TickingClock ticking;
  PlannedDelays delays({{0s, 20ms, &counts[0]}}, SpentBy::working, ticking, stop);
  const Nanoseconds begin = ticking.now();
  delays.pass(begin, begin);
  const Nanoseconds took = ticking.now() - begin;
  EXPECT_GE(took, 20ms);
  EXPECT_LT(took, 21ms);
}

}  // namespace
}  // namespace xrunlab
