// The short form of scripts/truth-compare: does the rule keep to its 5 %, and see what it should?
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiment/truth/rule_trials.hpp"

namespace xrunlab::test {
namespace {

constexpr int kTrials = 250;

class ComparisonTruth : public testing::TestWithParam<RuleCell> {};

// Three standard deviations beyond 5 % of 250, and below 80 %: 12.5 + 10.3 and 200 − 19.
TEST_P(ComparisonTruth, TheRuleKeepsItsErrorsAndItsPower) {
  const RuleCell& cell = GetParam();
  const auto same = try_rule(cell, 0, kTrials);
  EXPECT_LE(same.any_called, 22) << to_string(cell);
  const double shift = shift_of_power(cell, 0.1);
  EXPECT_GT(std::exp(shift), 1.05);
  const auto shifted = try_rule(cell, shift, kTrials);
  EXPECT_GE(shifted.worse, 181) << to_string(cell);
  EXPECT_LE(shifted.better, 2) << to_string(cell);
}

INSTANTIATE_TEST_SUITE_P(Cells, ComparisonTruth,
                         testing::Values(RuleCell{Noise::lognormal, Pairing::unrelated, 2, 7},
                                         RuleCell{Noise::pareto, Pairing::blocks, 2, 7},
                                         RuleCell{Noise::poisson, Pairing::unrelated, 2, 7},
                                         RuleCell{Noise::drift, Pairing::blocks, 4, 10}));

// Unrelated runs would drown in the drift; that they are paired is what a sweep is for.
TEST(ComparisonTruth, BlocksTakeTheDriftOut) {
  const RuleCell paired{Noise::drift, Pairing::blocks, 2, 10};
  const RuleCell unrelated{Noise::drift, Pairing::unrelated, 2, 10};
  EXPECT_GT(try_rule(paired, 0.2, 100).worse, 60);
  EXPECT_LT(try_rule(unrelated, 0.2, 100).worse, 10);
}

}  // namespace
}  // namespace xrunlab::test
