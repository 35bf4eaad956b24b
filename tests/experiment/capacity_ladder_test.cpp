#include "xrunlab/experiment/capacity_ladder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace xrunlab {
namespace {

TEST(CapacityLadder, StepsOfTracksAreAtMostAThirtySecond) {
  const auto ladder = track_ladder(5000);
  EXPECT_EQ(ladder.front(), 1);
  EXPECT_EQ(ladder.back(), 5000);
  for (std::size_t index = 1; index < ladder.size(); ++index) {
    const auto stride = ladder[index] - ladder[index - 1];
    EXPECT_GE(stride, 1);
    EXPECT_LE(stride, std::max<std::int64_t>(1, ladder[index - 1] / 32));
  }
  EXPECT_THAT(track_ladder(1), ::testing::ElementsAre(1));
  EXPECT_THAT(track_ladder(3), ::testing::ElementsAre(1, 2, 3));
}

TEST(CapacityLadder, RingsAndFragmentsFall) {
  EXPECT_THAT(
      ring_ladder(1'000'000'000, 560'000'000),
      ::testing::ElementsAre(1'000'000'000, 900'000'000, 800'000'000, 710'000'000, 630'000'000, 560'000'000));
  EXPECT_THAT(ring_ladder(77, 78), ::testing::ElementsAre(77));
  EXPECT_THAT(fragment_ladder(1000, 64), ::testing::ElementsAre(512, 256, 128, 64));
}

}  // namespace
}  // namespace xrunlab
