#include "xrunlab/report/latency_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/model/sample_latency.hpp"
#include "tests/report/widest_line.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LatencyText, ShowsEachRoundAndAllTogether) {
  const std::string text = latency_summary(sample_latency_run(), ConsoleStyle::plain);
  EXPECT_LE(widest_line(text), 80u) << text;
  for (const char* part :
       {"wait        nanosleep, every 10 ms, 10000 wake-ups in each of 3 rounds, 10 s\n            between "
        "them, 50 % of it computing",
        "SCHED_FIFO 80", "round 1    10000", "round 3!    9573", "together   29573", "! a part of a round",
        "median 141us, largest 148us", "idle states are allowed", "clock takes 25.0 ns"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, HasSubstr("woken *    29567")) << "six were missed";
}

TEST(LatencyText, ShowsWhatIsNotKnownAsADash) {
  const std::string text = latency_summary(sparse_latency_run(), ConsoleStyle::plain);
  EXPECT_LE(widest_line(text), 80u) << text;
  EXPECT_THAT(text,
              HasSubstr("round 1     9573      -    - 3.00us 47.0us      -       -       -       -  146us"));
  EXPECT_THAT(text, Not(HasSubstr("idle states")));
}

TEST(LatencyText, EachThreadHasARow) {
  auto run = sample_latency_run();
  for (auto& round : run.latency.rounds) {
    round.threads.push_back(round.threads.front());
    round.threads.back().cpu = 7;
  }
  const std::string text = latency_summary(run, ConsoleStyle::plain);
  EXPECT_THAT(text, HasSubstr("CPU 7      29573"));
  EXPECT_LE(widest_line(text), 80u) << text;
}

TEST(LatencyText, WritesTheLinesOfCyclictest) {
  auto run = sample_latency_run();
  run.latency.rounds.resize(1);
  run.rt.dma_latency_us = 0;
  EXPECT_EQ(cyclictest_text(run),
            "# /dev/cpu_dma_latency set to 0us\n"
            "T: 0 ( 4711) P:80 I:10000 C:  10000 Min:      3 Act:    5 Avg:    5 Max:     141\n");
}

TEST(LatencyText, HistogramAsFarAsThereIsOne) {
  EXPECT_THAT(latency_histogram_text(sample_latency_run()), HasSubstr("lateness of wake-ups: 29573 samples"));
  EXPECT_EQ(latency_histogram_text(sparse_latency_run()), "");
}

}  // namespace
}  // namespace xrunlab
