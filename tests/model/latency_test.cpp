#include "xrunlab/model/latency.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/model/sample_latency.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/model/latency_verdict.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

TEST(Latency, FiguresTellWhatTheHistogramHolds) {
  auto histogram = std::make_unique<Histogram>();
  EXPECT_EQ(figures_of(histogram->snapshot()).count, 0);
  EXPECT_EQ(figures_of(histogram->snapshot()).max_ns, std::nullopt);
  for (std::int64_t ns = 1; ns <= 200; ++ns) histogram->record(ns);
  const auto figures = figures_of(histogram->snapshot());
  EXPECT_EQ(figures.count, 200);
  EXPECT_EQ(figures.missed, std::nullopt);
  EXPECT_EQ(figures.min_ns, 1);
  EXPECT_EQ(figures.mean_ns, 100.5);
  EXPECT_EQ(figures.max_ns, 200);
  EXPECT_EQ(figures.percentiles_ns,
            (std::map<std::string, std::int64_t>{{"p50", 100}, {"p90", 180}, {"p99", 198}}));
  EXPECT_EQ(histogram_of(figures), histogram->snapshot());
}

TEST(Latency, TogetherIsWhatOneHistogramOfAllWouldHold) {
  const auto first = std::make_unique<Histogram>();
  const auto second = std::make_unique<Histogram>();
  const auto both = std::make_unique<Histogram>();
  for (std::int64_t index = 1; index <= 3'000; ++index) {
    const std::int64_t ns = index * index % 90'001;
    (index % 3 == 0 ? *first : *second).record(ns);
    both->record(ns);
  }
  auto parts = std::vector{figures_of(first->snapshot()), figures_of(second->snapshot())};
  parts[0].missed = 3;
  parts[1].missed = 4;
  auto expected = figures_of(both->snapshot());
  expected.missed = 7;
  auto added = together(parts);
  EXPECT_NEAR(*added.mean_ns, *expected.mean_ns, 1e-6);
  added.mean_ns = expected.mean_ns;
  EXPECT_EQ(added, expected);
  EXPECT_EQ(added.over, std::nullopt);
}

TEST(Latency, TogetherLeavesOutWhatOneOfThemDoesNotTell) {
  const auto listed = sparse_latency_run().latency.all;
  const auto measured = sample_latency_run().latency.all;
  const auto both = together({listed, measured});
  EXPECT_EQ(both.count, *listed.count + *measured.count);
  EXPECT_EQ(both.max_ns, 148'000);
  EXPECT_EQ(both.missed, std::nullopt);
  EXPECT_EQ(both.histogram, std::nullopt);
  EXPECT_TRUE(both.percentiles_ns.empty());
  EXPECT_EQ(together({}), LatencyFigures{});
  auto nothing = figures_of(HistogramData{});
  EXPECT_EQ(together({nothing, measured}).min_ns, measured.min_ns)
      << "a round without samples has no minimum";
}

TEST(Latency, MedianOfMaximaAndPartialRounds) {
  auto latency = sample_latency_run().latency;
  EXPECT_EQ(median_of_maxima_ns(latency), 141'000);
  EXPECT_EQ(is_whole(latency.rounds[0]), true);
  EXPECT_EQ(is_whole(latency.rounds[2]), false);
  latency.rounds.pop_back();
  EXPECT_EQ(median_of_maxima_ns(latency), 144'500);
  latency.rounds[0].figures.max_ns.reset();
  EXPECT_EQ(median_of_maxima_ns(latency), std::nullopt);
  EXPECT_EQ(median_of_maxima_ns(LatencyData{}), std::nullopt);
  EXPECT_EQ(is_whole(sparse_latency_run().latency.rounds[0]), std::nullopt);
}

TEST(LatencyRun, EveryFieldComesBack) {
  for (const auto& run : {sample_latency_run(), sparse_latency_run()})
    EXPECT_EQ(run_from_json(to_json(run), "r.json"), run);
}

TEST(LatencyRun, SaysNothingOfDisksAndCards) {
  const auto json = Json::parse(to_json(sample_latency_run()));
  for (const char* key : {"timers", "ring", "io", "device", "inputs", "counters"})
    EXPECT_FALSE(json.contains(key));
  const auto played = Json::parse(to_json(sample_run()));
  for (const char* key : {"probe", "latency", "rounds"}) EXPECT_FALSE(played.contains(key));
}

TEST(LatencyRun, WhatAListingDoesNotSayIsNullNotZero) {
  const auto json = Json::parse(to_json(sparse_latency_run()));
  for (const char* pointer : {"/system/cpus", "/system/memory_bytes", "/system/threadirqs", "/rt/priority",
                              "/probe/interval_ns", "/latency/missed", "/latency/histogram",
                              "/latency/as_cyclictest", "/rounds/0/planned", "/rounds/0/whole"}) {
    EXPECT_TRUE(json.at(Json::json_pointer(pointer)).is_null()) << pointer;
  }
}

TEST(LatencyRun, FiguresThatContradictEachOtherAreRefused) {
  const auto changed = [](const char* pointer, const Json& value) {
    auto json = Json::parse(to_json(sample_latency_run()));
    json[Json::json_pointer(pointer)] = value;
    try {
      run_from_json(json.dump(), "r.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(changed("/latency/min_ns", 200'000), "r.json: latency: its numbers contradict each other");
  EXPECT_EQ(changed("/rounds/1/count", -1), "r.json: rounds[1]: its numbers contradict each other");
  EXPECT_EQ(changed("/rounds/1/histogram/0", Json::array({1, 2, INT64_MAX})),
            "r.json: rounds[1]: its numbers contradict each other");
  EXPECT_EQ(changed("/rounds/0/threads/0/missed", -1),
            "r.json: rounds[0].threads[0]: its numbers contradict each other");
  EXPECT_EQ(changed("/latency/as_cyclictest/count", 3),
            "r.json: latency.as_cyclictest: its numbers contradict each other");
}

TEST(LatencyVerdict, ChosenTimesHaveNoDigitsThatSayNothing) {
  EXPECT_EQ(interval_text(0), "0 us");
  EXPECT_EQ(interval_text(100'000), "100 us");
  EXPECT_EQ(interval_text(488'280), "488.28 us");
  EXPECT_EQ(interval_text(10'000'000), "10 ms");
  EXPECT_EQ(interval_text(1'500'000'000), "1.5 s");
  EXPECT_EQ(interval_text(60'000'000'000), "60 s");
}

TEST(LatencyVerdict, WithoutALimitThereIsNothingToPass) {
  auto run = sample_latency_run();
  run.latency.rounds.resize(1);
  run.latency.all = run.latency.rounds.front().figures;
  judge(run);
  EXPECT_EQ(run.verdict, Verdict::measured);
  EXPECT_EQ(run.verdict_line,
            "MEASURED 10000 wake-ups every 10 ms, p99.9 7.90 us, max 141 us, 2 missed, 1 thread at "
            "SCHED_FIFO 80, "
            "nanosleep, no load");
  EXPECT_EQ(exit_code_for(run), ExitCode::ok);
}

TEST(LatencyVerdict, ALimitIsKeptOrBroken) {
  auto run = sample_latency_run();
  run.latency.probe.limit_ns = 200'000;
  run.latency.all.over = 0;
  judge(run);
  EXPECT_EQ(run.verdict, Verdict::pass);
  EXPECT_THAT(run.verdict_line, HasSubstr("none later than 200 us"));
  run.latency.all.over = 1;
  run.complete = false;
  run.ended_by = "limit";
  judge(run);
  EXPECT_EQ(run.verdict, Verdict::fail) << "that it stopped there was asked for";
  EXPECT_EQ(exit_code_for(run), ExitCode::limit_broken);
}

TEST(LatencyVerdict, WhatIsInDoubtHasNone) {
  auto run = sample_latency_run();
  run.complete = false;
  run.ended_by = "signal 2";
  judge(run);
  EXPECT_EQ(run.verdict, Verdict::no_verdict);
  EXPECT_THAT(run.verdict_line, HasSubstr("incomplete: ended by signal 2"));
  run = sample_latency_run();
  run.load_error = "read: EIO";
  judge(run);
  EXPECT_EQ(run.verdict, Verdict::no_verdict);
  run = sample_latency_run();
  run.self_checks = {{"counts_match", false, "9 of 10"}};
  judge(run);
  EXPECT_EQ(run.reasons, std::vector<std::string>{"self-check counts_match failed: 9 of 10"});
}

}  // namespace
}  // namespace xrunlab
