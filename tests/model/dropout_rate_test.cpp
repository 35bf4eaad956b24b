#include "xrunlab/model/dropout_rate.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

constexpr std::int64_t kHourNs = 3'600'000'000'000;

// The published table of exact Poisson limits: 0 → 0 … 3.689, 1 → 0.0253 … 5.572, 10 → 4.795 … 18.390.
TEST(DropoutRate, IntervalsAreTheExactPoissonLimits) {
  EXPECT_DOUBLE_EQ(dropout_rate(0, kHourNs).low, 0);
  EXPECT_NEAR(dropout_rate(0, kHourNs).high, 3.689, 0.001);
  EXPECT_NEAR(dropout_rate(1, kHourNs).low, 0.0253, 0.0001);
  EXPECT_NEAR(dropout_rate(1, kHourNs).high, 5.572, 0.001);
  EXPECT_NEAR(dropout_rate(10, kHourNs).low, 4.795, 0.001);
  EXPECT_NEAR(dropout_rate(10, kHourNs).high, 18.390, 0.001);
}

TEST(DropoutRate, ScalesWithTheTimeThatWasLookedAt) {
  const auto rate = dropout_rate(2, kHourNs / 60);
  EXPECT_DOUBLE_EQ(rate.per_hour, 120);
  EXPECT_NEAR(rate.low, 0.2422 * 60, 0.01);
}

}  // namespace
}  // namespace xrunlab
