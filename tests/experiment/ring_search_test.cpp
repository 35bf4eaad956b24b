#include "xrunlab/experiment/ring_search.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

constexpr Frames kBlock = 1000;

/// A record that starves below `enough` frames of ring; rings are granted in whole blocks.
struct FakeRecord {
  Frames enough = 0;
  int runs = 0;
  WhatIfTrial operator()(const WhatIfSizes& sizes) {
    ++runs;
    WhatIfTrial trial{.granted = sizes, .block_frames = kBlock};
    trial.granted.ring = round_up(sizes.ring, kBlock);
    if (trial.granted.ring < enough) {
      trial.starvations = 1;
      trial.starved_ns = trial.longest_ns = enough - trial.granted.ring;
    }
    return trial;
  }
};

WhatIfPlan plan_of(Frames least, Frames most) {
  return {.recorded = {50'000, 1024, 2048}, .rings = {least, most}, .cards = {{0, 1024, 2048}}};
}

TEST(RingSearch, FindsTheSmallestRingToTheBlock) {
  for (const Frames enough : {5'000, 37'500, 50'000, 99'001, 100'000}) {
    FakeRecord record{.enough = enough};
    const auto table = what_if(plan_of(4'000, 100'000), std::ref(record));
    ASSERT_EQ(table.safe.size(), 1U);
    ASSERT_TRUE(table.safe[0].smallest) << enough;
    EXPECT_EQ(table.safe[0].smallest->granted.ring, round_up(enough, kBlock));
    EXPECT_FALSE(table.safe[0].least_tried);
    EXPECT_LE(record.runs, 9 + 7) << "the table and a bisection";
  }
}

TEST(RingSearch, SaysWhenTheLeastIsEnoughAndWhenNoneIs) {
  FakeRecord easy{.enough = 0};
  const auto least = what_if(plan_of(4'000, 100'000), std::ref(easy));
  EXPECT_TRUE(least.safe[0].least_tried);
  EXPECT_EQ(least.safe[0].smallest->granted.ring, 4'000);
  FakeRecord hopeless{.enough = 1'000'000};
  EXPECT_FALSE(what_if(plan_of(4'000, 100'000), std::ref(hopeless)).safe[0].smallest);
}

TEST(RingSearch, EachCardHasItsOwnTable) {
  auto plan = plan_of(4'000, 8'000);
  plan.cards = {{0, 256, 512}, {0, 1024, 4096}};
  FakeRecord record{.enough = 6'000};
  const auto table = what_if(plan, std::ref(record));
  ASSERT_EQ(table.safe.size(), 2U);
  EXPECT_EQ(table.safe[1].buffer, 4096);
  EXPECT_EQ(table.trials.size(), 10U) << "4 to 8 blocks each";
}

TEST(RingSearch, TabulatesTheRecordedRingBetweenTheEnds) {
  const auto rings = tabulated_rings({1'000, 16'000}, 5'000, 5);
  EXPECT_EQ(rings, (std::vector<Frames>{1'000, 2'000, 4'000, 5'000, 8'000, 16'000}));
  EXPECT_EQ(tabulated_rings({1'000, 1'000}, 1'000, 5), std::vector<Frames>{1'000});
}

}  // namespace
}  // namespace xrunlab
