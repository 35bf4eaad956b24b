#include "xrunlab/engine/latency_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "xrunlab/core/error.hpp"
#include "xrunlab/model/run_json.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Small, of the ordinary policy, which anybody may have.
LatencyRequest small_request() {
  LatencyRequest request;
  request.interval = 1ms;
  request.loops = 40;
  request.sched = {};
  request.pause = 0ns;
  request.lock = MemoryLockMode::off;
  return request;
}

RunData measured(const LatencyRequest& request) {
  const Signals signals;
  auto outcome = run_latency(request, signals, {});
  EXPECT_FALSE(outcome.thread_hangs);
  return std::move(outcome.run);
}

TEST(LatencyRun, CountsEveryPlannedWakeUpOfEachThreadInEachRound) {
  auto request = small_request();
  request.cpus = {{}, {}};
  request.rounds = 2;
  request.limit = 1h;
  const RunData run = measured(request);
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.kind, "latency");
  EXPECT_EQ(run.latency.all.count, 160);
  EXPECT_EQ(run.latency.all.over, 0);
  ASSERT_EQ(run.latency.rounds.size(), 2u);
  for (const auto& round : run.latency.rounds) {
    EXPECT_EQ(round.planned, 80);
    EXPECT_EQ(is_whole(round), true);
    ASSERT_EQ(round.threads.size(), 2u);
    for (const auto& thread : round.threads) {
      EXPECT_EQ(thread.figures.count, 40);
      EXPECT_EQ(thread.figures.histogram, std::nullopt);
      EXPECT_GT(thread.id, 0);
    }
    EXPECT_EQ(*round.as_cyclictest->count + *round.figures.missed, 80);
  }
  EXPECT_EQ(run.latency.probe.clock, "nanosleep");
  EXPECT_EQ(run.latency.probe.interval_ns, 1'000'000);
  EXPECT_GT(run.latency.probe.clock_read_ns, 0);
  for (const auto& check : run.self_checks) EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
  EXPECT_EQ(run.verdict, Verdict::pass);
  EXPECT_EQ(run.threads.size(), 3u) << "two that measured, over all rounds, and main";
  EXPECT_EQ(run_from_json(to_json(run), "r.json"), run);
}

TEST(LatencyRun, OnATimerfdAndOnACard) {
  auto request = small_request();
  request.clock = WakeClock::timerfd;
  request.duration = 30ms;
  auto run = measured(request);
  EXPECT_EQ(run.latency.all.count, 30);
  EXPECT_EQ(run.latency.probe.duration_ns, 30'000'000);
  EXPECT_EQ(run.verdict, Verdict::measured);
  request.clock = WakeClock::pcm;
  request.card.rate = {48'000};
  request.card.period = 96;
  run = measured(request);
  EXPECT_EQ(run.latency.probe.interval_ns, 2'000'000);
  EXPECT_EQ(run.latency.probe.device, "sim");
  EXPECT_EQ(run.latency.all.count, 15);
}

TEST(LatencyRun, TheLimitEndsAllThreads) {
  auto request = small_request();
  request.cpus = {{}, {}};
  request.loops = 1'000'000;
  request.limit = 0ns;
  const RunData run = measured(request);
  EXPECT_EQ(run.ended_by, "limit");
  EXPECT_EQ(run.verdict, Verdict::fail);
  EXPECT_EQ(is_whole(run.latency.rounds.front()), false);
}

TEST(LatencyRun, EndsWithWhatItIsMeasuredUnder) {
  auto request = small_request();
  request.loops = 1'000'000;
  request.rounds = 5;
  request.accompaniment = {.name = "load", .goes_on = [] { return false; }};
  const RunData run = measured(request);
  EXPECT_EQ(run.ended_by, "load");
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.verdict, Verdict::no_verdict);
  EXPECT_EQ(run.latency.rounds.size(), 1u);
}

TEST(LatencyRun, RecordsEachPlannedWakeUp) {
  auto request = small_request();
  request.record = std::filesystem::path(testing::TempDir()) / "latency-samples.csv";
  const RunData run = measured(request);
  std::ifstream file(*request.record);
  std::string line;
  std::int64_t lines = -1;  // the header
  std::int64_t missed = 0;
  while (std::getline(file, line)) {
    ++lines;
    missed += line.ends_with(",1") ? 1 : 0;
  }
  EXPECT_EQ(lines, 40);
  EXPECT_EQ(missed, run.latency.all.missed);
  std::filesystem::remove(*request.record);
}

TEST(LatencyRun, WithoutAnRtcItIsNotPossible) {
  auto request = small_request();
  request.clock = WakeClock::rtc;
  request.rtc.device = "/dev/rtc-there-is-none";
  const Signals signals;
  try {
    run_latency(request, signals, {});
    FAIL() << "ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::not_possible);
  }
}

}  // namespace
}  // namespace xrunlab
