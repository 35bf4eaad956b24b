#include "xrunlab/model/jack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/sample_jack.hpp"
#include "xrunlab/model/run_json.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

RunData judged(RunData run) {
  judge(run);
  return run;
}

TEST(Jack, TheRowsOf2004StandInTheirOrderAndUnits) {
  const auto rows = jack_rows(sample_jack_run().jack->figures);
  ASSERT_EQ(rows.size(), 15u);
  EXPECT_EQ(rows[0], (JackRow{"Timeout Rate", "/hour", 0.0}));
  EXPECT_EQ(rows[1].label, "XRUN Rate");
  EXPECT_DOUBLE_EQ(rows[1].value.value(), 120);
  EXPECT_EQ(rows[2].label, "Delay Rate (>spare time)");
  EXPECT_EQ(rows[3].label, "Delay Rate (>1000 usecs)");
  EXPECT_EQ(rows[4], (JackRow{"Delay Maximum", "usecs", 308.5}));
  EXPECT_EQ(rows[5], (JackRow{"Cycle Maximum", "usecs", 845.0}));
  EXPECT_EQ(rows[6], (JackRow{"Average DSP Load", "%", 44.0}));
  EXPECT_EQ(rows[14], (JackRow{"Average Context-Switch Rate", "/sec", std::nullopt}));
}

TEST(Jack, ACountOverNoTimeHasNoRate) {
  EXPECT_EQ(jack_count(3, 0), (JackCount{.count = 3}));
  EXPECT_DOUBLE_EQ(jack_count(3, 60'000'000'000).per_hour.value(), 180);
}

TEST(Jack, AClientThatFailsTwiceIsOneFailedClient) {
  JackData jack;
  jack.failures = {
      {"client 3", "timeout", "", {}}, {"client 3", "died", "", {}}, {"client 4", "died", "", {}}};
  EXPECT_EQ(failed_clients(jack), 2);
}

TEST(Jack, EveryFieldComesBackFromTheRunFile) {
  const auto run = judged(sample_jack_run());
  EXPECT_EQ(run_from_json(to_json(run), "r.json"), run);
}

TEST(JackVerdict, PassesWithoutXruns) {
  auto run = sample_jack_run();
  run.jack->figures.xruns = jack_count(0, run.jack->measured_ns);
  run.jack->failures.clear();
  run.jack->figures.driver_late = jack_count(0, run.jack->measured_ns);
  run = judged(run);
  EXPECT_EQ(
      run.verdict_line,
      "PASS 20 clients, 4 ports each way, chain, 64 frames at 44100 Hz, 60 s, 0 xruns (< 180/hour, 95 %), "
      "longest cycle 845us of 1.45ms, dummy driver, no load");
}

TEST(JackVerdict, TheDummyDriversOwnLatenessIsTheMachines) {
  auto run = sample_jack_run();
  run.jack->figures.xruns = jack_count(0, run.jack->measured_ns);
  run.jack->failures.clear();
  EXPECT_EQ(judged(run).verdict, Verdict::marginal);
  EXPECT_THAT(judged(run).verdict_line, HasSubstr("the driver itself was late 96 times"));
  run.device.simulated = false;
  EXPECT_EQ(judged(run).verdict, Verdict::fail);
}

TEST(JackVerdict, XrunsAndFailedClientsFail) {
  auto run = judged(sample_jack_run());
  EXPECT_EQ(run.verdict, Verdict::fail);
  EXPECT_THAT(run.verdict_line, HasSubstr("2 xruns, 0 allowed; 1 client failed: client 7: no cycle for 1 s"));
  EXPECT_THAT(run.verdict_line, HasSubstr("(120/hour, "));
}

TEST(JackVerdict, WhatIsShortOrIncompleteHasNone) {
  auto run = sample_jack_run();
  run.jack->figures.xruns = jack_count(0, run.jack->measured_ns);
  run.jack->failures.clear();
  run.jack->measured_ns = 3'000'000'000;
  EXPECT_EQ(judged(run).verdict, Verdict::no_verdict);
  EXPECT_THAT(judged(run).verdict_line, HasSubstr("the measured 3.0 s are too short: at least 10 s"));
  run.complete = false;
  run.ended_by = "server";
  EXPECT_THAT(judged(run).verdict_line, HasSubstr("incomplete: ended after 3.0 s by server"));
}

TEST(JackVerdict, ARampTellsHowManyFit) {
  auto run = sample_jack_run();
  run.jack->failures.clear();
  run.jack->ramp = {{.clients = 1, .dsp_load_share = 0.1},
                    {.clients = 2, .dsp_load_share = 0.831, .xruns = 3}};
  run.jack->clients_that_fit = 1;
  run = judged(run);
  EXPECT_THAT(run.verdict_line, HasSubstr("1 client of 2 fit; first xrun with 2 at DSP load 83.1 %"));
  EXPECT_EQ(run.verdict, Verdict::marginal);
  run.jack->clients_that_fit = 0;
  EXPECT_EQ(judged(run).verdict, Verdict::fail);
}

}  // namespace
}  // namespace xrunlab
