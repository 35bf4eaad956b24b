#include "xrunlab/experiment/intervals.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;

// Clopper and Pearson's limits as tables give them: 0 of 10 up to 0.3085, 10 of 10 from 0.6915, 7 of 10 from
// 0.3475 to 0.9333.
TEST(Intervals, SharesHaveTheExactBinomialLimits) {
  EXPECT_EQ(share_of(0, 10).low, 0);
  EXPECT_NEAR(share_of(0, 10).high, 0.3085, 0.0001);
  EXPECT_NEAR(share_of(10, 10).low, 0.6915, 0.0001);
  EXPECT_EQ(share_of(10, 10).high, 1);
  EXPECT_NEAR(share_of(7, 10).low, 0.3475, 0.0001);
  EXPECT_NEAR(share_of(7, 10).high, 0.9333, 0.0001);
}

TEST(Intervals, RatesOfRunsThatDifferByChanceArePoissons) {
  const auto rate = pooled_rate({{1, kHour}, {0, kHour}, {0, kHour / 2}, {0, kHour / 2}});
  ASSERT_TRUE(rate.has_value());
  EXPECT_FALSE(rate->clustered);
  EXPECT_EQ(rate->events, 1);
  EXPECT_DOUBLE_EQ(rate->per_hour, 1.0 / 3);
  EXPECT_NEAR(rate->low_per_hour, 0.0253 / 3, 0.0001);
  EXPECT_NEAR(rate->high_per_hour, 5.572 / 3, 0.001);
}

TEST(Intervals, RatesOfRunsThatDifferByMoreAreResampled) {
  const std::vector<Exposure> runs{{0, kHour}, {0, kHour}, {0, kHour}, {0, kHour}, {20, kHour}, {0, kHour}};
  const auto rate = pooled_rate(runs);
  ASSERT_TRUE(rate.has_value());
  EXPECT_TRUE(rate->clustered);
  EXPECT_EQ(rate->low_per_hour, 0) << "a resampling may miss the one bad run";
  EXPECT_NEAR(rate->high_per_hour, 10, 0.01) << "or have it three times in six, seldom more often";
  EXPECT_EQ(pooled_rate(runs)->high_per_hour, rate->high_per_hour) << "the seed is fixed";
}

TEST(Intervals, NothingIsSaidOfNoTimeAndZeroHasALimit) {
  EXPECT_FALSE(pooled_rate({}).has_value());
  EXPECT_FALSE(pooled_rate({{0, 0}}).has_value());
  const auto rate = pooled_rate({{0, kHour}, {0, kHour}});
  EXPECT_FALSE(rate->clustered);
  EXPECT_NEAR(rate->high_per_hour, 3.689 / 2, 0.001);
}

}  // namespace
}  // namespace xrunlab
