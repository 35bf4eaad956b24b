// Comparisons of runs of kind latency and jack, of listings, and of several kinds in one call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiment/compared_runs.hpp"
#include "tests/model/sample_jack.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/experiment/compare_runs.hpp"
#include "xrunlab/experiment/fail_rule.hpp"

namespace xrunlab {
namespace {

using test::run_needing;
using test::summaries;
using testing::ElementsAre;
using testing::HasSubstr;

std::optional<double> figure_of(const Comparison& comparison, std::size_t group, const std::string& name) {
  return comparison.groups.at(group).figures.at(*find_run_figure(name));
}

/// Rounds of 10,000 wake-ups 10 ms apart with these maxima, in us.
RunData latency_run(const std::string& kernel, const std::vector<std::int64_t>& maxima_us, int number = 0) {
  RunData run;
  run.kind = kLatencyKind;
  run.complete = true;
  run.verdict = Verdict::measured;
  run.start = "start " + kernel + std::to_string(number);
  run.system.kernel = kernel;
  run.system.preempt = "rt";
  run.system.boot_id = "boot of " + kernel;
  std::vector<LatencyFigures> parts;
  for (const auto max_us : maxima_us) {
    LatencyRound round{.start = "", .planned = 10'000, .figures = {}, .as_cyclictest = {}, .threads = {}};
    round.figures.count = 10'000;
    round.figures.max_ns = max_us * 1000;
    LatencyThread thread;
    thread.interval_ns = 10'000'000;
    thread.figures = round.figures;
    round.threads = {thread};
    parts.push_back(round.figures);
    run.latency.rounds.push_back(round);
  }
  run.latency.all = together(parts);
  run.latency.all.percentiles_ns["p99.9"] = maxima_us.front() * 900;
  return run;
}

RunData listing_of(const std::string& title) {
  RunData run = run_needing(1);
  run.start.clear();
  run.system = {};
  run.ring.ring_needed_frames.reset();
  run.imported = ImportInfo{};
  run.imported->title = title;
  run.imported->stated = {"complete", "timers.outside.count", "timers.outside.max_ns"};
  run.window = {};
  return run;
}

RunData jack_run(std::int64_t xruns, std::int64_t seconds, int number) {
  RunData run = sample_jack_run();
  run.verdict = Verdict::pass;
  run.start = "start " + std::to_string(number);
  run.jack->measured_ns = seconds * 1'000'000'000;
  run.jack->figures.xruns = jack_count(xruns, run.jack->measured_ns);
  run.jack->figures.driver_late = jack_count(0, run.jack->measured_ns);
  run.jack->figures.delay_max_ns = 1000 * (number + 1);
  run.jack->figures.dsp_load_share = 0.1 * (number + 1);
  return run;
}

TEST(CompareKinds, MaximaOfRoundsAreThoseOfTheGroupAndUnequalLengthsAreMarked) {
  const auto comparison =
      compare_runs(summaries({latency_run("6.1 #1", {10, 20, 500}), latency_run("6.1 #1", {30, 40}, 1),
                              latency_run("6.6 #1", {7})}),
                   {});
  EXPECT_EQ(comparison.kind, "latency");
  EXPECT_EQ(comparison.metric, "latency_p99.9");
  ASSERT_EQ(comparison.groups.size(), 2u);
  EXPECT_EQ(comparison.groups[0].label, "6.1 / rt");
  EXPECT_EQ(figure_of(comparison, 0, "rounds"), 5);
  EXPECT_EQ(figure_of(comparison, 0, "latency_max_median"), 30'000) << "over all five rounds";
  EXPECT_EQ(figure_of(comparison, 0, "latency_max"), 500'000);
  EXPECT_EQ(comparison.groups[0].time_ns, 500'000'000'000);
  EXPECT_EQ(comparison.groups[1].time_ns, 100'000'000'000);
  EXPECT_TRUE(comparison.unequal_lengths);
  EXPECT_EQ(comparison.groups[0].pass.runs, 0) << "MEASURED is no PASS and no FAIL";
  EXPECT_FALSE(comparison.groups[0].dropouts);
  EXPECT_EQ(comparison.judgements[1].text, "one boot each: not separable from boot to boot");
}

TEST(CompareKinds, WhereTheThreadsMayRunIsAFactOfThem) {
  std::vector<RunData> runs;
  for (int number = 0; number < 16; ++number) {
    runs.push_back(latency_run("6.1 #1", {10 + number % 2}, number));
    runs.back().system.clocksource = number % 2 == 0 ? "tsc" : "hpet";
    if (number % 2 == 1) runs.back().latency.rounds.front().threads.front().cpu = 0;
  }
  EXPECT_THAT(compare_runs(summaries(runs), {.by = {"clocksource"}}).judgements.at(1).text,
              HasSubstr("confounded by affinity"));
  runs.front().latency.probe.affinity = "0-1";
  EXPECT_EQ(compare_runs(summaries(runs), {.by = {"affinity"}}).groups.size(), 3u);
}

TEST(CompareKinds, WhatAGroupLacksDoesNotDecide) {
  auto peak = latency_run("2.4.0 #1", {66'000});
  peak.imported = ImportInfo{};
  peak.latency.rounds.clear();
  peak.latency.all = {};
  peak.latency.all.max_ns = 66'000'000;
  const auto own = latency_run("6.1 #1", {10, 20});
  EXPECT_EQ(compare_runs(summaries({peak, own}), {}).metric, "latency_max");
  const auto named = compare_runs(summaries({peak, own}), {.metric = "latency_p99.9"});
  EXPECT_EQ(named.judgements.at(1).text, "the baseline has no figures of latency_p99.9");
}

/// The same wake-ups in one round of the whole length.
RunData in_one_round(RunData run) {
  auto& round = run.latency.rounds.front();
  const auto rounds = static_cast<std::int64_t>(run.latency.rounds.size());
  round.planned = *round.planned * rounds;
  round.figures = run.latency.all;
  round.threads.front().figures = round.figures;
  run.latency.rounds.resize(1);
  return run;
}

TEST(CompareKinds, MediansOfMaximaOverUnequalRoundsAreMarkedAndDecideNothing) {
  std::vector<RunData> runs;
  for (int number = 0; number < 8; ++number) {
    runs.push_back(latency_run("6.1 #1", {10, 20, 30}, 2 * number));
    runs.push_back(in_one_round(latency_run("6.1 #1", {10, 20, 30}, 2 * number + 1)));
    runs.back().system.clocksource = "other";
  }
  const auto comparison =
      compare_runs(summaries(runs), {.by = {"clocksource"}, .metric = "latency_max_median"});
  EXPECT_FALSE(comparison.unequal_lengths);
  EXPECT_TRUE(comparison.unequal_rounds);
  EXPECT_THAT(comparison.judgements.at(1).text, HasSubstr("round length"));
  EXPECT_FALSE(compare_runs(summaries({latency_run("6.1 #1", {10, 20}), latency_run("6.6 #1", {7})}), {})
                   .unequal_rounds);
}

TEST(CompareKinds, APartialRoundIsMarked) {
  auto run = latency_run("6.1 #1", {10, 20});
  run.latency.rounds[1].figures.count = 9573;
  const auto comparison = compare_runs(summaries({run}), {});
  EXPECT_EQ(figure_of(comparison, 0, "partial_rounds"), 1);
  EXPECT_THAT(comparison.notes,
              ElementsAre("6.1 / rt: round 2 of 2 has 9573 of 10000 wake-ups (run-0.json)"));
}

TEST(CompareKinds, BootsAreTheUnitOfKernels) {
  std::vector<RunData> runs;
  for (int number = 0; number < 10; ++number) {
    runs.push_back(latency_run(number % 2 == 0 ? "6.1 #1" : "6.6 #1", {number % 2 == 0 ? 100 : 50}, number));
    runs.back().system.boot_id = std::to_string(number);
    runs.push_back(runs.back());
    runs.back().start += " again";
  }
  const auto comparison = compare_runs(summaries(runs), {});
  EXPECT_EQ(comparison.groups[1].boots, 5);
  EXPECT_EQ(comparison.judgements[1].finding, Finding::better);
  EXPECT_THAT(comparison.judgements[1].text, HasSubstr("5 boots each"));
}

TEST(CompareKinds, ListingsWithoutAKernelAreToldApartByTheirTitles) {
  auto own = run_needing(44'100, 1);
  const auto comparison = compare_runs(summaries({listing_of("loaded"), listing_of("idle"), own}), {});
  EXPECT_THAT(comparison.by, ElementsAre("kernel", "preempt", "title"));
  ASSERT_EQ(comparison.groups.size(), 3u);
  EXPECT_EQ(comparison.groups[0].label, "loaded");
  EXPECT_EQ(comparison.groups[1].label, "idle");
  EXPECT_FALSE(figure_of(comparison, 0, "xruns")) << "not said, so not 0";
  EXPECT_FALSE(figure_of(comparison, 0, "pass_share"));
  EXPECT_FALSE(figure_of(comparison, 0, "outside_p99.9") && comparison.groups[0].dropouts);
  EXPECT_TRUE(figure_of(comparison, 0, "outside_max"));
  EXPECT_EQ(figure_of(comparison, 2, "ring_needed"), 1e9);
  EXPECT_TRUE(comparison.left_out.empty()) << "a listing has no verdict, which is no doubt about it";
}

TEST(CompareKinds, AKindHasAComparisonOfItsOwn) {
  const auto runs = summaries({run_needing(44'100), latency_run("6.1 #1", {10}), run_needing(88'200, 1)});
  const auto comparisons = compare_kinds(runs, {.metric = "latency_p99"});
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].kind, "play");
  EXPECT_EQ(comparisons[0].metric, "ring_needed") << "what is named concerns another kind";
  EXPECT_EQ(comparisons[0].groups.at(0).runs, 2);
  EXPECT_FALSE(figure_of(comparisons[0], 0, "latency_max"));
  EXPECT_EQ(comparisons[1].metric, "latency_p99");
  EXPECT_FALSE(figure_of(comparisons[1], 0, "xruns"));
  const auto outcome = [&comparisons](const char* rule) {
    return apply_fail_rule(parse_fail_rule(rule), comparisons);
  };
  EXPECT_FALSE(outcome("latency_max > 50us").failed);
  EXPECT_TRUE(outcome("latency_max > 5us").failed);
  EXPECT_FALSE(outcome("ring_needed > 9s").failed);
  EXPECT_TRUE(outcome("jack_cycle_max > 1s").failed) << "nobody can tell";
}

TEST(CompareKinds, JackIsConsolidatedOverTheSecondsOfAllRuns) {
  auto invalid = jack_run(1000, 60, 9);
  invalid.verdict = Verdict::no_verdict;
  invalid.reasons = {"client 7 hung"};
  const auto comparison = compare_runs(summaries({jack_run(1, 900, 0), jack_run(2, 1800, 1), invalid}), {});
  EXPECT_EQ(comparison.metric, "jack_delay_p99.9");
  ASSERT_EQ(comparison.groups.size(), 1u);
  EXPECT_DOUBLE_EQ(*figure_of(comparison, 0, "jack_xruns_per_hour"), 4) << "3 in 45 minutes";
  EXPECT_EQ(figure_of(comparison, 0, "jack_delay_max"), 2000);
  EXPECT_NEAR(*figure_of(comparison, 0, "jack_dsp_load"), (0.1 * 900 + 0.2 * 1800) / 2700, 1e-12);
  ASSERT_EQ(comparison.left_out.size(), 1u);
  EXPECT_EQ(comparison.left_out[0].reason, "NO VERDICT: client 7 hung");
  EXPECT_FALSE(comparison.groups[0].dropouts) << "two kinds of xruns that may be the same are not added up";
}

TEST(CompareKinds, AJackTableWithoutSecondsIsNotDividedByThem) {
  auto run = jack_run(5, 0, 0);
  run.jack->figures.xruns.per_hour = 216.8;
  const auto comparison = compare_runs(summaries({run}), {});
  EXPECT_EQ(figure_of(comparison, 0, "jack_xruns_per_hour"), 216.8);
  EXPECT_EQ(comparison.groups.at(0).time_ns, 0);
  EXPECT_FALSE(comparison.groups[0].dropouts);
}

}  // namespace
}  // namespace xrunlab
