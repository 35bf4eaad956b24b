#include "xrunlab/experiment/comparison_rule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace xrunlab {
namespace {

using testing::HasSubstr;

/// Runs of one sweep: block n holds the n-th value of each group.
RuleGroup swept(const std::vector<double>& values) {
  RuleGroup group;
  std::int64_t block = 0;
  for (const double value : values) {
    group.values.push_back({.logarithm = std::log(value),
                            .series = "sweep on host",
                            .block = block++,
                            .combination = {},
                            .boot = "boot"});
  }
  return group;
}

RuleGroup unrelated(const std::vector<double>& values) {
  RuleGroup group = swept(values);
  for (auto& value : group.values) value.series.clear();
  return group;
}

Judgement judged(const RuleGroup& baseline, const RuleGroup& group, RuleRequest request = {}) {
  if (request.metric.empty()) request.metric = "ring_needed";
  const auto judgements = judge_groups({baseline, group}, 0, request);
  EXPECT_EQ(judgements.at(0).finding, Finding::baseline);
  return judgements.at(1);
}

TEST(ComparisonRule, RunsOfOneSweepArePairedByBlocks) {
  // The machine drifts by a factor of eight; in each block the group takes half as much again.
  const std::vector<double> drift{1, 2, 4, 8, 3, 5, 6};
  std::vector<double> slower;
  for (const double value : drift) slower.push_back(value * 1.5);
  const auto worse = judged(swept(drift), swept(slower));
  EXPECT_EQ(worse.finding, Finding::worse);
  EXPECT_EQ(worse.test, "signed-rank");
  EXPECT_NEAR(*worse.ratio, 1.5, 1e-9);
  EXPECT_DOUBLE_EQ(*worse.p, 2.0 / 128);
  EXPECT_EQ(worse.text, "worse: ratio 1.50 (1.50 … 1.50, 95 %), p = 0.0156, 7 runs each");
  EXPECT_EQ(judged(swept(slower), swept(drift)).finding, Finding::better);
  EXPECT_EQ(judged(unrelated(drift), unrelated(slower)).finding, Finding::no_difference);
}

TEST(ComparisonRule, ASmallPIsNotToldToTheDigit) {
  EXPECT_THAT(judged(unrelated({1, 2, 3, 4, 5, 6, 7, 8}), unrelated({11, 12, 13, 14, 15, 16, 17, 18})).text,
              HasSubstr("p < 0.001, 8 runs each"));
}

TEST(ComparisonRule, OtherRunsAreComparedByRanks) {
  const auto worse = judged(unrelated({10, 11, 12, 13}), unrelated({20, 21, 22, 23}));
  EXPECT_EQ(worse.finding, Finding::worse);
  EXPECT_EQ(worse.test, "rank-sum");
  EXPECT_DOUBLE_EQ(*worse.p, 2.0 / 70);
  EXPECT_THAT(worse.text, HasSubstr("4 runs each"));
  EXPECT_THAT(judged(unrelated({10, 11, 12, 13}), unrelated({20, 21, 22, 23, 24})).text,
              HasSubstr("5 and 4 runs"));
  // One run that is of no sweep, and they are not of one sweep.
  auto mixed = swept({20, 21, 22, 23});
  mixed.values.front().series.clear();
  EXPECT_EQ(judged(swept({10, 11, 12, 13}), mixed).test, "rank-sum");
}

TEST(ComparisonRule, BlocksThatHoldOneGroupOnlyPairNothing) {
  auto baseline = swept({10, 11, 12, 13, 14});
  auto group = swept({20, 21, 22, 23, 24});
  for (std::size_t index = 0; index < 3; ++index) group.values[index].block += 100;
  EXPECT_EQ(judged(baseline, group).test, "rank-sum") << "two of five blocks";
  group.values[0].block -= 100;
  EXPECT_EQ(judged(baseline, group).test, "signed-rank") << "three of five";
}

TEST(ComparisonRule, OfFiguresThatShouldBeHighMoreIsBetter) {
  RuleRequest request{.metric = "headroom", .better = Better::higher};
  EXPECT_EQ(judged(unrelated({10, 11, 12, 13}), unrelated({20, 21, 22, 23}), request).finding,
            Finding::better);
}

TEST(ComparisonRule, AnEffectBelowFivePercentIsNoDifferenceHoweverSure) {
  const std::vector<double> values{1, 2, 4, 8, 3, 5, 6, 7, 9, 10};
  std::vector<double> by_four;
  std::vector<double> by_six;
  for (const double value : values) {
    by_four.push_back(value * 1.04);
    by_six.push_back(value * 1.06);
  }
  const auto small = judged(swept(values), swept(by_four));
  EXPECT_LE(*small.adjusted_p, 0.05);
  EXPECT_EQ(small.finding, Finding::no_difference);
  EXPECT_EQ(small.text, "no difference shown (ratio 1.04 … 1.04, 95 %, 10 runs each)");
  EXPECT_EQ(judged(swept(values), swept(by_six)).finding, Finding::worse);
  EXPECT_EQ(judged(swept(by_six), swept(values)).finding, Finding::better) << "the same the other way round";
  EXPECT_EQ(judged(swept(values), swept(by_six), {.min_effect = 0.1}).finding, Finding::no_difference);
}

TEST(ComparisonRule, SaysHowManyRunsAreNeeded) {
  const std::vector<double> five{1, 2, 3, 4, 5};
  std::vector<double> ten_times;
  for (const double value : five) ten_times.push_back(value * 10);
  const auto few = judge_groups({swept(five), swept(ten_times), swept(ten_times), swept(ten_times)}, 0,
                                {.metric = "ring_needed"});
  EXPECT_EQ(few[1].finding, Finding::too_few);
  EXPECT_EQ(few[1].text, "needs 7 runs each, has 5");
  EXPECT_NEAR(*few[1].ratio, 10, 1e-9) << "a figure, but no verdict";
  EXPECT_FALSE(few[1].adjusted_p);
  EXPECT_EQ(judged(swept(five), swept(ten_times)).text, "needs 6 runs each, has 5");
  EXPECT_EQ(judged(unrelated({1, 2, 3}), unrelated({10, 20, 30})).text, "needs 4 runs each, has 3");
}

TEST(ComparisonRule, UnequalNumbersOfRunsThatAreNeededHaveTheirReason) {
  const auto few =
      judge_groups({swept({1, 2, 3, 4, 5}), swept({10, 20, 30, 40, 50}), unrelated({10, 20, 30})}, 0,
                   {.metric = "ring_needed"});
  EXPECT_EQ(few[1].text, "needs 7 runs each, has 5 (compared within blocks)");
  EXPECT_EQ(few[2].text, "needs 5 runs each, has 3 (its blocks do not match)");
}

TEST(ComparisonRule, TestsAreAdjustedForTheirNumber) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7};
  std::vector<double> twice;
  for (const double value : values) twice.push_back(value * 2);
  const auto judgements =
      judge_groups({swept(values), swept(twice), swept(values), swept(values)}, 0, {.metric = "ring_needed"});
  EXPECT_EQ(judgements[1].finding, Finding::worse);
  EXPECT_DOUBLE_EQ(*judgements[1].adjusted_p, 3 * 2.0 / 128);
  EXPECT_EQ(judgements[2].finding, Finding::no_difference);
}

TEST(ComparisonRule, FiguresOfZeroAreFigures) {
  const auto from_nothing = judged(unrelated({0, 0, 0, 0, 0}), unrelated({3, 2, 4, 1, 5}));
  EXPECT_EQ(from_nothing.finding, Finding::worse);
  EXPECT_EQ(*from_nothing.ratio, INFINITY);
  EXPECT_EQ(judged(unrelated({3, 2, 4, 1, 5}), unrelated({0, 0, 0, 0, 0})).finding, Finding::better);
  const auto nothing = judged(swept({0, 0, 0, 0, 0, 0}), swept({0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(nothing.finding, Finding::no_difference);
  EXPECT_EQ(*nothing.ratio, 1);
}

TEST(ComparisonRule, WhatIsConfoundedHasFiguresButNoVerdict) {
  auto group = unrelated({20, 21, 22, 23});
  group.confounders = {"engine", "load"};
  const auto confounded = judged(unrelated({10, 11, 12, 13}), group);
  EXPECT_EQ(confounded.finding, Finding::confounded);
  EXPECT_EQ(confounded.text, "confounded by engine, load");
  EXPECT_NEAR(*confounded.ratio, 21.5 / 11.5, 0.05);
}

RuleGroup booted(const std::vector<std::vector<double>>& boots, const std::string& kernel) {
  RuleGroup group;
  group.differs_by_boot = true;
  for (std::size_t boot = 0; boot < boots.size(); ++boot) {
    for (const double value : boots[boot]) {
      group.values.push_back({.logarithm = std::log(value),
                              .series = {},
                              .block = 0,
                              .combination = {},
                              .boot = kernel + std::to_string(boot)});
    }
  }
  return group;
}

TEST(ComparisonRule, OfKernelsTheBootIsTheUnit) {
  const std::vector<double> many(30, 10);
  const std::vector<double> more(30, 20);
  const auto one = judged(booted({many}, "a"), booted({more}, "b"));
  EXPECT_EQ(one.finding, Finding::one_boot);
  EXPECT_EQ(one.text, "one boot each: not separable from boot to boot");
  EXPECT_NEAR(*one.ratio, 2, 1e-9);
  const auto three = judged(booted({many, many, many}, "a"), booted({more, more, more, more}, "b"));
  EXPECT_EQ(three.text, "4 and 3 boots: not separable from boot to boot, needs 4 boots each");
  const auto four = judged(booted({many, many, many, many}, "a"), booted({more, more, more, more}, "b"));
  EXPECT_EQ(four.finding, Finding::worse);
  EXPECT_THAT(four.text, HasSubstr("4 boots each"));
  EXPECT_DOUBLE_EQ(*four.p, 2.0 / 70) << "not that of 120 runs";
}

TEST(ComparisonRule, OtherSettingsOfABlockArePairedWithTheirLike) {
  // Two rings in each block, one taking a hundred times as much; the group takes a third more of each.
  RuleGroup baseline;
  RuleGroup group;
  for (std::int64_t block = 0; block < 7; ++block) {
    for (const double base : {1.0, 100.0}) {
      const RunValue value{.logarithm = std::log(base * static_cast<double>(block + 1)),
                           .series = "s",
                           .block = block,
                           .combination = base > 10 ? "ring=9s" : "ring=1s",
                           .boot = "b"};
      baseline.values.push_back(value);
      group.values.push_back(value);
      group.values.back().logarithm += std::log(4.0 / 3);
    }
  }
  const auto worse = judged(baseline, group);
  EXPECT_EQ(worse.finding, Finding::worse);
  EXPECT_NEAR(*worse.ratio, 4.0 / 3, 1e-9);
  EXPECT_THAT(worse.text, HasSubstr("7 blocks"));
}

TEST(ComparisonRule, NothingIsSaidWithoutFigures) {
  const auto nothing = judged(unrelated({1, 2, 3, 4}), RuleGroup{});
  EXPECT_EQ(nothing.finding, Finding::nothing_to_see);
  EXPECT_EQ(nothing.text, "no figures of ring_needed");
  EXPECT_FALSE(nothing.p);
  EXPECT_EQ(judged(RuleGroup{}, unrelated({1, 2, 3, 4})).finding, Finding::nothing_to_see);
}

TEST(ComparisonRule, RunsBeyondThePlannedNumberAreMarked) {
  auto group = unrelated({20, 21, 22, 23});
  group.values.back().exploratory = true;
  EXPECT_THAT(judged(unrelated({10, 11, 12, 13}), group).text,
              HasSubstr("; exploratory, with runs beyond the planned number"));
}

}  // namespace
}  // namespace xrunlab
