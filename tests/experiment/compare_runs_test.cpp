#include "xrunlab/experiment/compare_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiment/compared_runs.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using test::run_needing;
using test::summaries;
using test::swept_run;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> labels(const Comparison& comparison) {
  std::vector<std::string> result;
  for (const auto& group : comparison.groups) result.push_back(group.label);
  return result;
}

double figure(const Comparison& comparison, std::size_t group, const std::string& name) {
  return comparison.groups.at(group).figures.at(*find_run_figure(name)).value();
}

std::string refusal_of(const std::vector<RunSummary>& runs, const CompareRequest& request) {
  try {
    compare_runs(runs, request);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what() + std::string(" ") + error.remedy();
  }
  return "accepted";
}

TEST(CompareRuns, ASweepIsComparedByWhatItVariedWithWhatItFound) {
  const auto comparison = compare_runs(summaries(test::sweep_of_schedulers()), {});
  EXPECT_THAT(comparison.by, ElementsAre("scheduler"));
  EXPECT_THAT(labels(comparison), ElementsAre("none", "mq-deadline", "bfq")) << "by combination";
  EXPECT_EQ(comparison.baseline, 1u);
  EXPECT_EQ(comparison.metric, "ring_needed");
  EXPECT_EQ(comparison.judgements[0].finding, Finding::no_difference);
  EXPECT_EQ(comparison.judgements[1].finding, Finding::baseline);
  EXPECT_EQ(comparison.judgements[2].finding, Finding::worse);
  EXPECT_EQ(comparison.judgements[2].test, "signed-rank");
  EXPECT_NEAR(*comparison.judgements[2].ratio, 2, 1e-9);
  EXPECT_EQ(comparison.groups[2].runs, 10);
  EXPECT_EQ(comparison.groups[2].pass.hits, 10);
  EXPECT_EQ(comparison.groups[2].time_ns, 600'000'000'000);
  EXPECT_TRUE(comparison.differences.empty());
  EXPECT_TRUE(comparison.left_out.empty());
}

TEST(CompareRuns, AFigureOfAGroupIsTheMedianAMaximumTheLargest) {
  auto first = run_needing(44'100, 1);
  auto second = run_needing(88'200, 2);
  second.timers.outside.histogram.max_ns = 77'000'000;
  second.counters.device_xruns = 2;
  second.counters.dropouts = 1;
  const auto comparison = compare_runs(summaries({first, second}), {});
  ASSERT_EQ(comparison.groups.size(), 1u);
  EXPECT_THAT(comparison.notes, ElementsAre("all runs are of one group: --by KEY says what to compare"));
  EXPECT_DOUBLE_EQ(figure(comparison, 0, "ring_needed"), 1.5e9);
  EXPECT_DOUBLE_EQ(figure(comparison, 0, "outside_max"), 77e6);
  EXPECT_DOUBLE_EQ(figure(comparison, 0, "xruns"), 2);
  EXPECT_DOUBLE_EQ(figure(comparison, 0, "dropouts_per_hour"), 30);
  EXPECT_DOUBLE_EQ(figure(comparison, 0, "pass_share"), 1);
  // 2,000 interrupts … over 60.3 s, as the sample has them.
  EXPECT_NEAR(figure(comparison, 0, "interrupts_per_s"), 120'000 / 60.3, 1e-6);
  EXPECT_NEAR(figure(comparison, 0, "switches_per_s"), 200'000 / 60.3, 1e-6);
  EXPECT_NEAR(figure(comparison, 0, "cpu_user"), 901.0 / 119'571, 1e-9);
  EXPECT_NEAR(figure(comparison, 0, "cpu_steal"), 90.0 / 119'571, 1e-9);
  EXPECT_NEAR(figure(comparison, 0, "cpu_per_track"), (0.5 / 60 + 0.4 / 60.3) / 48, 1e-9);
}

TEST(CompareRuns, WhatIsNoMeasurementIsLeftOutWithTheReason) {
  auto runs = test::sweep_of_schedulers(1);
  runs[0].complete = false;
  runs[0].reasons = {"ended by signal 2"};
  runs[1].fault_injected = true;
  runs[2].verdict = Verdict::no_verdict;
  runs[2].reasons = {"too short"};
  runs.push_back(swept_run("none", 0, 1, 100));
  runs.back().experiment->warmup = true;
  runs.push_back(swept_run("none", 0, 2, 100));
  runs.push_back(runs.back());
  const auto comparison = compare_runs(summaries(runs), {});
  ASSERT_EQ(comparison.groups.size(), 1u);
  EXPECT_EQ(comparison.groups[0].runs, 1);
  std::vector<std::string> reasons;
  for (const auto& run : comparison.left_out) reasons.push_back(run.file + ": " + run.reason);
  EXPECT_THAT(reasons,
              ElementsAre("run-0.json: incomplete: ended by signal 2",
                          "run-1.json: faults were injected into it", "run-2.json: NO VERDICT: too short",
                          "run-3.json: a warm-up", "run-5.json: the same run as run-4.json"));
  const auto all = compare_runs(summaries(runs), {.doubtful = DoubtfulRuns::include});
  EXPECT_EQ(all.left_out.size(), 2u) << "a warm-up stays one, and a copy a copy";
}

TEST(CompareRuns, WhereNoRunCouldPassTheFailedOnesAreLeftOutToo) {
  auto runs = test::sweep_of_schedulers(1);
  for (auto& run : runs) run.verdict = Verdict::fail;
  runs[0].window.length_ns = 8'000'000'000;
  runs[1].window.primed_whole = true;
  const auto comparison = compare_runs(summaries(runs), {});
  ASSERT_EQ(comparison.left_out.size(), 2u);
  EXPECT_THAT(comparison.left_out[0].reason, HasSubstr("FAIL, which a PASS could not have been set against"));
  EXPECT_THAT(comparison.left_out[0].reason, HasSubstr("the window of 8.0 s is too short"));
  EXPECT_THAT(comparison.left_out[1].reason, HasSubstr("all data was in the ring"));
  EXPECT_EQ(compare_runs(summaries(runs), {.doubtful = DoubtfulRuns::include}).left_out.size(), 0u);
}

TEST(CompareRuns, AFailedRunThatItsFirstXrunEndedIsNotTooShort) {
  auto runs = test::sweep_of_schedulers(1);
  runs[0].verdict = Verdict::fail;
  runs[0].window.length_ns = 8'000'000'000;
  runs[0].ended_by = "xrun";
  runs[0].counters.device_xruns = 1;
  EXPECT_TRUE(compare_runs(summaries(runs), {}).left_out.empty());
}

TEST(CompareRuns, WithoutARunThatCountsThereIsNothing) {
  auto run = run_needing(1);
  run.complete = false;
  const auto comparison = compare_runs(summaries({run}), {});
  EXPECT_TRUE(comparison.groups.empty());
  EXPECT_TRUE(comparison.judgements.empty());
  EXPECT_EQ(comparison.left_out.size(), 1u);
}

TEST(CompareRuns, OtherRunsAreComparedByKernelAndBootsAreTheUnit) {
  std::vector<RunData> runs;
  for (int number = 0; number < 10; ++number) {
    runs.push_back(run_needing(number % 2 == 0 ? 10'000 : 20'000, number));
    runs.back().system.kernel = number % 2 == 0 ? "6.1.0 #1 SMP" : "6.6.0-rt #1 SMP";
    runs.back().system.preempt = number % 2 == 0 ? "voluntary" : "rt";
    runs.back().system.boot_id = number % 2 == 0 ? "a" : "b";
  }
  const auto comparison = compare_runs(summaries(runs), {});
  EXPECT_THAT(comparison.by, ElementsAre("kernel", "preempt"));
  EXPECT_THAT(labels(comparison), ElementsAre("6.1.0 / voluntary", "6.6.0-rt / rt"));
  EXPECT_EQ(comparison.judgements[1].finding, Finding::one_boot);
  EXPECT_EQ(comparison.judgements[1].text, "one boot each: not separable from boot to boot");
  EXPECT_TRUE(comparison.differences.empty()) << "that the preemption differs follows from the kernel";
  for (int number = 0; number < 10; ++number)
    runs[static_cast<std::size_t>(number)].system.boot_id = "boot " + std::to_string(number);
  EXPECT_EQ(compare_runs(summaries(runs), {}).judgements[1].finding, Finding::worse);
}

TEST(CompareRuns, WhatElseDiffersConfounds) {
  std::vector<RunData> runs;
  for (int number = 0; number < 12; ++number) {
    runs.push_back(run_needing(number % 2 == 0 ? 10'000 : 20'000, number));
    runs.back().io.engine = number % 2 == 0 ? "io_uring" : "pread";
    runs.back().io.direct = number % 2 == 0;
    runs.back().load = number % 2 == 0 ? "none" : "cpu:1";
  }
  const auto confounded = compare_runs(summaries(runs), {.by = {"engine"}});
  EXPECT_EQ(confounded.judgements[1].text, "confounded by load") << "direct follows from the engine";
  ASSERT_EQ(confounded.differences.size(), 1u);
  EXPECT_EQ(confounded.differences[0].what, "load");
  EXPECT_THAT(confounded.differences[0].values, ElementsAre("cpu:1 (6 runs)", "none (6 runs)"));
  EXPECT_EQ(compare_runs(summaries(runs), {.by = {"load"}}).judgements[1].text,
            "confounded by engine, direct");
  EXPECT_EQ(compare_runs(summaries(runs), {.by = {"load", "engine"}}).judgements[1].finding, Finding::worse);
}

TEST(CompareRuns, WhatDiffersInBothGroupsAlikeDoesNotConfound) {
  std::vector<RunData> runs;
  for (int number = 0; number < 16; ++number) {
    runs.push_back(run_needing((number % 2 == 0 ? 10'000 : 20'000) + number, number));
    runs.back().load = number % 2 == 0 ? "none" : "cpu:1";
    runs.back().system.host = number < 8 ? "studio" : "stage";
  }
  const auto comparison = compare_runs(summaries(runs), {.by = {"load"}});
  EXPECT_EQ(comparison.judgements[1].finding, Finding::worse);
  ASSERT_EQ(comparison.differences.size(), 1u);
  EXPECT_EQ(comparison.differences[0].what, "machine");
  EXPECT_THAT(comparison.differences[0].values, ElementsAre("stage (8 runs)", "studio (8 runs)"));
}

TEST(CompareRuns, LongerRunsHaveWorseExtremesSoLengthConfounds) {
  std::vector<RunData> runs;
  for (int number = 0; number < 12; ++number) {
    runs.push_back(run_needing(number % 2 == 0 ? 10'000 : 20'000, number));
    runs.back().load = number % 2 == 0 ? "none" : "cpu:1";
    if (number % 2 == 0) runs.back().window.exposure_ns /= 2;
  }
  EXPECT_EQ(compare_runs(summaries(runs), {.by = {"load"}}).judgements[1].text, "confounded by run length");
  for (auto& run : runs) {
    const std::string duration = run.load == "none" ? "30s" : "60s";
    run.load = "none";
    run.experiment =
        ExperimentInfo{.sweep_id = "s", .varied = {{"duration", duration, {}, true}}, .fixed = {}};
  }
  EXPECT_EQ(compare_runs(summaries(runs), {.by = {"duration"}}).judgements[1].text,
            "needs 6 runs each, has 1")
      << "all in block 0, but not confounded by what was asked for";
}

TEST(CompareRuns, AnotherFigureAndBaselineCanBeNamed) {
  const auto runs = summaries(test::sweep_of_schedulers());
  for (const char* name : {"bfq", "scheduler=bfq"}) {
    const auto comparison = compare_runs(runs, {.baseline = name});
    EXPECT_EQ(comparison.baseline, 2u);
    EXPECT_EQ(comparison.judgements[0].finding, Finding::better);
  }
  EXPECT_EQ(compare_runs(runs, {.metric = "headroom"}).metric, "headroom");
  EXPECT_EQ(compare_runs(runs, {.metric = "ring_needed_ns"}).metric, "ring_needed");
  EXPECT_THAT(refusal_of(runs, {.metric = "ring"}), HasSubstr("one of: ring_needed"));
  EXPECT_THAT(refusal_of(runs, {.metric = "xruns"}), HasSubstr("none that can decide"));
  EXPECT_THAT(refusal_of(runs, {.baseline = "cfq"}), HasSubstr("the groups are none, mq-deadline, bfq"));
  EXPECT_THAT(refusal_of(runs, {.by = {"io-size", "rt", "--io_size"}}),
              HasSubstr("--io_size is there twice"));
  EXPECT_THAT(refusal_of(runs, {.by = {"colour"}}), HasSubstr("no run knows 'colour' they know scheduler"));
}

TEST(CompareRuns, WithoutARingLatenessDecidesAndUnpacedTheSpeed) {
  auto run = run_needing(1);
  run.ring.used = false;
  run.ring.ring_needed_frames.reset();
  EXPECT_EQ(compare_runs(summaries({run}), {}).metric, "lateness_p99.9");
  run.device.paced = false;
  EXPECT_EQ(compare_runs(summaries({run}), {}).metric, "read_rate");
}

TEST(CompareRuns, RunsWithoutTheFigureAreNoted) {
  auto runs = test::sweep_of_schedulers();
  for (auto& run : runs) {
    if (run.experiment->combination == 2) run.ring.ring_needed_frames.reset();
  }
  const auto comparison = compare_runs(summaries(runs), {});
  EXPECT_EQ(comparison.judgements[2].finding, Finding::nothing_to_see);
  EXPECT_THAT(comparison.notes, ElementsAre("bfq (10 runs): without ring_needed"));
}

TEST(CompareRuns, RunsBeyondThePlanAndSettingsThatCannotActAreNoted) {
  auto runs = test::sweep_of_schedulers(12);
  for (auto& run : runs) run.experiment->fixed = {{"read_ahead_kb", "128", "8192", false}};
  const auto comparison = compare_runs(summaries(runs), {});
  EXPECT_EQ(comparison.groups[0].exploratory, 2);
  EXPECT_THAT(comparison.judgements[2].text, HasSubstr("exploratory"));
  EXPECT_THAT(comparison.notes, testing::Contains("read_ahead_kb cannot act in this configuration"));
}

TEST(CompareRuns, WhatTheKernelGrantedIsTheGroupAndWhatWasAskedIsNoted) {
  auto runs = test::sweep_of_schedulers();
  for (auto& run : runs) {
    auto& setting = run.experiment->varied.front();
    setting = {"max_sectors_kb", "1280", "1280", true};
    if (run.experiment->combination == 2) setting.asked = "9999";
    if (run.experiment->combination == 0) setting.value = "4";
  }
  const auto comparison = compare_runs(summaries(runs), {});
  EXPECT_THAT(labels(comparison), ElementsAre("4", "1280"));
  EXPECT_THAT(comparison.notes, testing::Contains("max_sectors_kb is 1280 where 9999 was asked"));
}

TEST(CompareRuns, BothSpellingsOfAKeyAreOne) {
  auto runs = test::sweep_of_schedulers();
  for (auto& run : runs) run.experiment->varied.push_back({"io-priority", "rt:4", {}, true});
  const auto comparison = compare_runs(summaries(runs), {.by = {"io_priority", "scheduler"}});
  EXPECT_THAT(labels(comparison), ElementsAre("rt:4 / none", "rt:4 / mq-deadline", "rt:4 / bfq"));
  EXPECT_EQ(comparison.judgements[2].finding, Finding::worse);
}

TEST(CompareRuns, ALabelOfAKindThatHasNoneOfThemIsNoBaselineThere) {
  auto other = run_needing(1, 1);
  other.kind = "replay";
  other.system.kernel = "9.9 #1";
  const auto runs = summaries({run_needing(1), other});
  const auto comparisons = compare_kinds(runs, {.baseline = "9.9"});
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].kind, "play");
  EXPECT_EQ(comparisons[1].kind, "replay");
  EXPECT_THROW(compare_kinds(runs, {.baseline = "nowhere"}), Error);
  EXPECT_THROW(compare_kinds(runs, {.metric = "latency_p99"}), Error) << "neither kind has it";
  EXPECT_THAT(refusal_of(runs, {}), HasSubstr("different kinds: play, replay"));
}

}  // namespace
}  // namespace xrunlab
