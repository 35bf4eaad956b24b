#include "xrunlab/experiment/pass_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace xrunlab {
namespace {

TEST(PassRate, TheLowerBoundIsExact) {
  EXPECT_NEAR(pass_rate_low(5, 5), std::pow(0.05, 1.0 / 5), 1e-12);
  EXPECT_NEAR(pass_rate_low(0, 5), 0, 1e-12);
  // The probability of at least 8 passes of 9 at this rate is 5 %.
  const double rate = pass_rate_low(8, 9);
  EXPECT_NEAR(9 * std::pow(rate, 8) * (1 - rate) + std::pow(rate, 9), 0.05, 1e-9);
}

}  // namespace
}  // namespace xrunlab
