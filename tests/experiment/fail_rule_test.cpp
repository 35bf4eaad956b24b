#include "xrunlab/experiment/fail_rule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiment/compared_runs.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/experiment/compare_runs.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

std::string refusal_of_rule(const std::string& text) {
  try {
    parse_fail_rule(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "accepted";
}

TEST(FailRule, LimitsAreReadInTheUnitOfTheFigure) {
  EXPECT_DOUBLE_EQ(parse_fail_rule("ring_needed > 2s").limit, 2e9);
  EXPECT_DOUBLE_EQ(parse_fail_rule("ring_needed>=250ms").limit, 250e6);
  EXPECT_DOUBLE_EQ(parse_fail_rule("ring_needed_ns > 2").limit, 2e9) << "a plain number is seconds";
  EXPECT_DOUBLE_EQ(parse_fail_rule("cpu_steal > 5%").limit, 0.05);
  EXPECT_DOUBLE_EQ(parse_fail_rule("cpu_steal > 0.05").limit, 0.05);
  EXPECT_DOUBLE_EQ(parse_fail_rule("read_rate < 80MB/s").limit, 80e6);
  EXPECT_DOUBLE_EQ(parse_fail_rule("dropouts_per_hour > 1.5/h").limit, 1.5);
  EXPECT_DOUBLE_EQ(parse_fail_rule("  xruns   !=  0 ").limit, 0);
  EXPECT_EQ(parse_fail_rule("xruns != 0").op, FailOperator::unequal);
  EXPECT_EQ(parse_fail_rule("xruns <= 0").op, FailOperator::at_most);
  EXPECT_EQ(parse_fail_rule("ring_needed worse").op, FailOperator::worse);
  EXPECT_EQ(parse_fail_rule("ring_needed worse").metric, "ring_needed");
}

TEST(FailRule, WhatIsUnknownIsRefused) {
  EXPECT_THAT(refusal_of_rule(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal_of_rule("ring_needed"), HasSubstr("neither an operator nor the word worse"));
  EXPECT_THAT(refusal_of_rule("ring_needed better"), HasSubstr("neither an operator"));
  EXPECT_THAT(refusal_of_rule("colour > 2"), HasSubstr("'colour' is no figure"));
  EXPECT_THAT(refusal_of_rule("worse"), HasSubstr("neither"));
  EXPECT_THAT(refusal_of_rule("xruns worse"), HasSubstr("cannot be better or worse"));
  EXPECT_THAT(refusal_of_rule("xruns = 2"), HasSubstr("none of < <="));
  EXPECT_THAT(refusal_of_rule("xruns >"), HasSubstr("has no value"));
  EXPECT_THAT(refusal_of_rule("xruns > 2s"), HasSubstr("no number"));
  EXPECT_THAT(refusal_of_rule("xruns > nan"), HasSubstr("no number"));
  EXPECT_THAT(refusal_of_rule("ring_needed > 2 furlongs"), HasSubstr("--fail-if"));
}

FailOutcome outcome_of(const std::string& rule, const Comparison& comparison) {
  return apply_fail_rule(parse_fail_rule(rule), comparison);
}

TEST(FailRule, HoldsWhenItDoesForAnyGroup) {
  const auto comparison = compare_runs(test::summaries(test::sweep_of_schedulers()), {});
  EXPECT_FALSE(outcome_of("ring_needed > 1s", comparison).failed);
  const auto over = outcome_of("ring_needed > 500ms", comparison);
  EXPECT_TRUE(over.failed);
  EXPECT_THAT(over.text, HasSubstr("ring_needed > 500ms: bfq has "));
  EXPECT_FALSE(outcome_of("xruns > 0", comparison).failed);
  EXPECT_TRUE(outcome_of("xruns == 0", comparison).failed);
  EXPECT_TRUE(outcome_of("pass_share >= 100%", comparison).failed);
  EXPECT_FALSE(outcome_of("pass_share < 100%", comparison).failed);
}

TEST(FailRule, WorseIsWhatTheRuleOfCompareSays) {
  const auto worse =
      outcome_of("ring_needed worse", compare_runs(test::summaries(test::sweep_of_schedulers()), {}));
  EXPECT_TRUE(worse.failed);
  EXPECT_THAT(worse.text, HasSubstr("ring_needed worse: bfq: worse: ratio 2.00"));
  std::vector<RunData> alike;
  for (const auto& run : test::sweep_of_schedulers()) {
    if (run.experiment->combination != 2) alike.push_back(run);
  }
  EXPECT_FALSE(outcome_of("ring_needed worse", compare_runs(test::summaries(alike), {})).failed);
}

// Never a pass without samples.
TEST(FailRule, WhatCannotBeToldFails) {
  EXPECT_THAT(outcome_of("xruns > 0", Comparison{}).text, HasSubstr("absent: no run counts"));
  EXPECT_TRUE(outcome_of("ring_needed worse", Comparison{}).failed);
  auto runs = test::sweep_of_schedulers(3);
  const auto few = outcome_of("ring_needed worse", compare_runs(test::summaries(runs), {}));
  EXPECT_TRUE(few.failed);
  EXPECT_THAT(few.text, HasSubstr("absent: none: needs 7 runs each, has 3"));
  for (auto& run : runs) run.machine_usage.reset();
  const auto absent = outcome_of("cpu_steal > 5%", compare_runs(test::summaries(runs), {}));
  EXPECT_EQ(absent.text, "cpu_steal > 5%: absent in none");
  const auto one = compare_runs(test::summaries({test::run_needing(1)}), {});
  EXPECT_THAT(outcome_of("ring_needed worse", one).text, HasSubstr("nothing to compare"));
  EXPECT_THAT(outcome_of("headroom worse", compare_runs(test::summaries(runs), {})).text,
              HasSubstr("ring_needed decides here"));
}

}  // namespace
}  // namespace xrunlab
