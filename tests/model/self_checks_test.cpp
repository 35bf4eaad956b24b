#include "xrunlab/model/self_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace xrunlab {
namespace {

constexpr SampleRate kRate{48'000};

bool clock_passes(Frames played, std::int64_t duration_ns, Frames period = 100) {
  const std::array stretches{CardStretch{played, duration_ns}};
  return check_card_clock(stretches, kRate, period).passed;
}

TEST(SelfChecks, CardClockAllowsOnePeriod) {
  EXPECT_TRUE(clock_passes(96'100, 2'000'000'000));
  EXPECT_TRUE(clock_passes(95'900, 2'000'000'000));
  EXPECT_FALSE(clock_passes(96'101, 2'000'000'000));
  EXPECT_FALSE(clock_passes(95'899, 2'000'000'000));
}

TEST(SelfChecks, CardClockAllowsATenthOfAPercentOnLongStretches) {
  EXPECT_TRUE(clock_passes(4'804'800, 100'000'000'000));
  EXPECT_FALSE(clock_passes(4'804'801, 100'000'000'000));
}

TEST(SelfChecks, CardClockLooksOnlyAtStretchesOfOverOneSecondAndReportsTheWorst) {
  const std::array short_one{CardStretch{1, 1'000'000'000}};
  EXPECT_TRUE(check_card_clock(short_one, kRate, 100).passed);
  const std::array mixed{CardStretch{90'000, 2'000'000'000}, CardStretch{96'000, 2'000'000'000}};
  const auto check = check_card_clock(mixed, kRate, 100);
  EXPECT_FALSE(check.passed);
  EXPECT_THAT(check.detail, testing::HasSubstr("90000 frames in 2.0 s, -6000"));
}

TEST(SelfChecks, OutsideMustCoverTheLongestRingRead) {
  EXPECT_TRUE(check_outside_covers_ring_read(500, 500).passed);
  EXPECT_FALSE(check_outside_covers_ring_read(501, 500).passed);
  EXPECT_TRUE(check_outside_covers_ring_read(std::nullopt, 0).passed);
}

TEST(SelfChecks, CountsMayDifferByOne) {
  TimersData timers;
  timers.ring_read.histogram.count = 10;
  timers.pcm_write.histogram.count = 10;
  timers.outside.histogram.count = 9;
  EXPECT_TRUE(check_counts_match(timers).passed);
  timers.outside.histogram.count = 8;
  const auto check = check_counts_match(timers);
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.detail, "10 T1, 10 T2, 8 T3");
}

TEST(SelfChecks, WhereAServerCallsTheCycleCoversTheRead) {
  TimersData timers;
  timers.ring_read.histogram.count = 10;
  timers.ring_read.histogram.max_ns = 900;
  timers.cycle.emplace();
  timers.cycle->histogram.count = 10;
  timers.cycle->histogram.max_ns = 1000;
  EXPECT_TRUE(check_counts_match(timers).passed);
  EXPECT_TRUE(check_cycle_covers_ring_read(timers).passed);
  timers.cycle->histogram.count = 9;
  timers.cycle->histogram.max_ns = 899;
  EXPECT_FALSE(check_counts_match(timers).passed);
  EXPECT_FALSE(check_cycle_covers_ring_read(timers).passed);
}

}  // namespace
}  // namespace xrunlab
