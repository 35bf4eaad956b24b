#include "xrunlab/experiment/sweep_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SweepManifest two_by_three() {
  SweepManifest sweep;
  sweep.axes = {{"scheduler", {"none", "bfq"}}, {"ring", {"1s", "2s", "5s"}}};
  return sweep;
}

std::string refusal(const SweepManifest& sweep) {
  try {
    plan_sweep(sweep);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return {};
}

TEST(SweepPlan, HoldsAllCombinationsTheLastAxisFastest) {
  const SweepPlan plan = plan_sweep(two_by_three());
  EXPECT_THAT(plan.combinations,
              ElementsAre(ElementsAre("none", "1s"), ElementsAre("none", "2s"), ElementsAre("none", "5s"),
                          ElementsAre("bfq", "1s"), ElementsAre("bfq", "2s"), ElementsAre("bfq", "5s")));
}

TEST(SweepPlan, RunsEveryCombinationOnceInEachBlock) {
  SweepManifest sweep = two_by_three();
  sweep.runs = 4;
  sweep.warm_ups = 2;
  sweep.exploratory = 3;
  const SweepPlan plan = plan_sweep(sweep);
  ASSERT_EQ(plan.runs.size(), 6U * 9U);
  std::map<std::pair<SweepPhase, int>, std::set<std::size_t>> blocks;
  int number = 0;
  for (const auto& run : plan.runs) {
    EXPECT_EQ(run.number, ++number);
    EXPECT_TRUE(blocks[std::make_pair(run.phase, run.block)].insert(run.combination).second);
  }
  EXPECT_EQ(blocks.size(), 9U);
  for (const auto& [key, combinations] : blocks) EXPECT_EQ(combinations.size(), 6U);
  EXPECT_EQ(plan.runs.front().phase, SweepPhase::warm_up);
  EXPECT_EQ(plan.runs[12].phase, SweepPhase::measured);
  EXPECT_EQ(plan.runs[12].block, 1);
  EXPECT_EQ(plan.runs.back().phase, SweepPhase::exploratory);
  EXPECT_EQ(plan.runs.back().block, 7);
}

TEST(SweepPlan, EveryBlockHasAnOrderOfItsOwn) {
  SweepManifest sweep = two_by_three();
  sweep.runs = 60;
  const SweepPlan plan = plan_sweep(sweep);
  std::map<int, std::vector<std::size_t>> orders;
  for (const auto& run : plan.runs) {
    if (run.phase == SweepPhase::measured) orders[run.block].push_back(run.combination);
  }
  std::set<std::vector<std::size_t>> different;
  for (const auto& [block, order] : orders) different.insert(order);
  EXPECT_GT(different.size(), 45U);
}

// Every combination must be as often at every place: else the drift within a block would not hit all alike.
TEST(SweepPlan, EveryCombinationComesAtEveryPlaceEquallyOften) {
  SweepManifest sweep;
  sweep.axes = {{"scheduler", {"a", "b", "c", "d"}}};
  sweep.warm_ups = 0;
  sweep.runs = 4000;
  std::map<std::pair<std::size_t, std::size_t>, int> counts;
  const SweepPlan plan = plan_sweep(sweep);
  for (std::size_t index = 0; index < plan.runs.size(); ++index) {
    ++counts[std::make_pair(index % 4, plan.runs[index].combination)];
  }
  ASSERT_EQ(counts.size(), 16U);
  // 1000 expected, standard deviation 27.4: six of them.
  for (const auto& [place, count] : counts) EXPECT_NEAR(count, 1000, 165);
}

TEST(SweepPlan, TheSeedDecidesTheOrder) {
  SweepManifest sweep = two_by_three();
  const auto first = plan_sweep(sweep).runs;
  EXPECT_EQ(plan_sweep(sweep).runs, first);
  sweep.seed = 2;
  EXPECT_NE(plan_sweep(sweep).runs, first);
}

TEST(SweepPlan, MoreRunsLeaveTheEarlierOnesAsTheyWere) {
  SweepManifest sweep = two_by_three();
  sweep.runs = 170;
  const SweepPlan before = plan_sweep(sweep);
  sweep.exploratory = 5;
  const SweepPlan after = plan_sweep(sweep);
  ASSERT_GT(after.runs.size(), before.runs.size());
  for (std::size_t index = 0; index < before.runs.size(); ++index) {
    EXPECT_EQ(after.runs[index], before.runs[index]);
    EXPECT_EQ(sweep_file_name(after, after.runs[index]), sweep_file_name(before, before.runs[index]));
  }
}

TEST(SweepPlan, WithoutAxesOneCombinationIsRepeated) {
  SweepManifest sweep;
  sweep.runs = 3;
  const SweepPlan plan = plan_sweep(sweep);
  EXPECT_EQ(plan.runs.size(), 4U);
  EXPECT_EQ(combination_text(sweep, plan.combinations.front()), "as it is");
}

TEST(SweepPlan, RefusesWhatMakesNoPlan) {
  SweepManifest sweep = two_by_three();
  sweep.axes.push_back({"ring", {"7s"}});
  EXPECT_THAT(refusal(sweep), HasSubstr("ring is there twice"));
  sweep.axes.back() = {"tracks", {}};
  EXPECT_THAT(refusal(sweep), HasSubstr("tracks has no value"));
  sweep.axes.back() = {"tracks", {"8", "16", "8"}};
  EXPECT_THAT(refusal(sweep), HasSubstr("tracks has the value 8 twice"));
  sweep.axes.back() = {"tracks", {"8", "16"}};
  sweep.runs = 10'000;
  EXPECT_THAT(refusal(sweep), HasSubstr("more than 100000 runs"));
  // Whose product does not fit any number.
  sweep.axes.clear();
  const std::vector<std::string> hundred = [] {
    std::vector<std::string> values;
    for (int value = 0; value < 100; ++value) values.push_back(std::to_string(value));
    return values;
  }();
  for (int axis = 0; axis < 12; ++axis) sweep.axes.push_back({"k" + std::to_string(axis), hundred});
  EXPECT_THAT(refusal(sweep), HasSubstr("more than 100000 runs"));
}

TEST(SweepPlan, NamesFilesByNumberAndPhase) {
  const SweepManifest sweep = two_by_three();
  const SweepPlan plan = plan_sweep(sweep);
  EXPECT_EQ(sweep_file_name(plan, plan.runs[0]), "warm-up-001.json");
  EXPECT_EQ(sweep_file_name(plan, plan.runs[16]), "run-017.json");
  EXPECT_EQ(combination_text(sweep, plan.combinations[4]), "scheduler=bfq, ring=2s");
}

TEST(SweepPlan, ADurationHasNoCoolDownAtItsEnd) {
  using std::chrono::seconds;
  EXPECT_EQ(planned_duration(0, seconds{60}, seconds{5}), seconds{0});
  EXPECT_EQ(planned_duration(1, seconds{60}, seconds{5}), seconds{60});
  EXPECT_EQ(planned_duration(44, seconds{60}, seconds{5}), seconds{44 * 60 + 43 * 5});
}

}  // namespace
}  // namespace xrunlab
