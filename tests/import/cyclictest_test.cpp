#include "xrunlab/import/cyclictest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"
#include "xrunlab/import/read_listing.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

CyclictestListing parsed(std::string_view text) {
  const auto parts = cut_listing(text, {}, "log");
  return parse_cyclictest_text(parts.at(0).lines, "log");
}

template <class Parse>
std::string cyclictest_refusal(const Parse& parse) {
  try {
    parse();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    return error.what();
  }
  return "accepted";
}

// Every number of it is another one, so that none can be taken for its neighbour.
constexpr std::string_view kRound =
    "# /dev/cpu_dma_latency set to 0us\n"
    "policy: fifo: loadavg: 0.02 0.20 0.11 1/405 7024          \n\n"
    "T: 0 ( 7024) P:80 I:10000 C:   9573 Min:      3 Act:   75 Avg:   54 Max:     121\n";

TEST(CyclictestText, EveryFigureOfALine) {
  const auto listing = parsed(kRound);
  ASSERT_EQ(listing.rounds.size(), 1u);
  EXPECT_EQ(listing.rounds[0].load_average, "0.02 0.20 0.11 1/405 7024");
  EXPECT_THAT(listing.facts, ElementsAre(Pair("policy", "SCHED_FIFO")));
  ASSERT_EQ(listing.rounds[0].threads.size(), 1u);
  const auto& thread = listing.rounds[0].threads[0];
  EXPECT_EQ(thread.index, 0);
  EXPECT_EQ(thread.id, 7024);
  EXPECT_EQ(thread.priority, 80);
  EXPECT_EQ(thread.interval_us, 10'000);
  EXPECT_EQ(thread.cycles, 9573);
  EXPECT_EQ(thread.min, 3);
  EXPECT_EQ(thread.last, 75);
  EXPECT_EQ(thread.average, 54);
  EXPECT_EQ(thread.max, 121);
  EXPECT_FALSE(thread.overflow) << "not said";
  EXPECT_TRUE(listing.rounds[0].histogram.empty());
}

TEST(CyclictestText, AMailerMayBreakALineAnywhereAndQuoteIt) {
  for (const std::string_view text :
       {"> T: 0 ( 7024) P:80 I:10000 C:  10000 Min:      3 Act:   75 Avg:   54\n> Max:     121\n",
        "> > T: 0 ( 7024) P:80 I:10000 C:  10000 Min:      3 Act:   75 Avg:   54 Max:\n> >      121\n",
        "T: 0 ( 7024) P:80 I:10000 C:\n10000 Min:\n3 Act:   75\nAvg:   54\nMax:     121",
        "T: 0 (7024) P: 80 I:10000 C: 10000 Min: 3 Act: 75 Avg: 54 Max: 121 SMI:       0"}) {
    const auto listing = parsed(text);
    ASSERT_EQ(listing.rounds.size(), 1u) << text;
    EXPECT_EQ(listing.rounds[0].threads.at(0).max, 121);
    EXPECT_EQ(listing.rounds[0].threads[0].cycles, 10'000);
  }
}

TEST(CyclictestText, ALineWithoutItsEndIsNotCounted) {
  const auto listing =
      parsed("T: 0 ( 7024) P:80 I:10000 C:  10000 Min:      3 Act:   75 Avg:   54\nT: nonsense\n");
  EXPECT_TRUE(listing.rounds.empty());
  EXPECT_THAT(listing.warnings,
              ElementsAre("line 1 is cut off and not counted", "line 2 is cut off and not counted"));
}

TEST(CyclictestText, ACallIsARoundAndEachThreadOfIt) {
  const auto listing = parsed(
      "policy: fifo: loadavg: 1 1 1 1/1 10\n"
      "T: 0 (   10) P:80 I:1000 C:    100 Min:      1 Act:    2 Avg:    3 Max:       4\n"
      "T: 1 (   11) P:80 I:1500 C:     66 Min:      1 Act:    2 Avg:    3 Max:       5\n"
      "policy: fifo: loadavg: 2 2 2 1/1 20\n"
      "T: 0 (   20) P:80 I:1000 C:    100 Min:      1 Act:    2 Avg:    3 Max:       6\n"
      "T: 1 (   21) P:80 I:1500 C:     66 Min:      1 Act:    2 Avg:    3 Max:       7\n");
  ASSERT_EQ(listing.rounds.size(), 2u);
  EXPECT_EQ(listing.rounds[0].threads.size(), 2u);
  EXPECT_EQ(listing.rounds[1].threads.at(1).max, 7);
  EXPECT_EQ(listing.rounds[1].load_average, "2 2 2 1/1 20");
}

TEST(CyclictestText, OfTheLinesOfARoundThatWasNotQuietTheLastCounts) {
  const auto listing = parsed(
      "policy: fifo: loadavg: 0.1 0.1 0.1 1/1 10\n"
      "T: 0 (    0) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n"
      "T: 0 (   10) P:80 I:1000 C:    100 Min:      2 Act:    2 Avg:    3 Max:       4\n"
      "\033[2Apolicy: fifo: loadavg: 0.2 0.1 0.1 1/1 10\n"
      "T: 0 (   10) P:80 I:1000 C:    200 Min:      1 Act:    2 Avg:    3 Max:       9\n");
  ASSERT_EQ(listing.rounds.size(), 1u);
  EXPECT_EQ(listing.rounds[0].threads.at(0).cycles, 200);
  EXPECT_EQ(listing.rounds[0].threads[0].max, 9);
}

TEST(CyclictestText, TheCommandLineAboveTheOutput) {
  const auto listing =
      parsed("$ sudo ./cyclictest -t1 -p 80 -n -i 10000 -l 10000 -q# /dev/cpu_dma_latency\n");
  EXPECT_EQ(listing.facts.at("cmdline"), "cyclictest -t1 -p 80 -n -i 10000 -l 10000 -q");
  EXPECT_TRUE(parsed("I ran cyclictest for a night - see below\n").facts.empty());
  EXPECT_THAT(facts_of_cyclictest("cyclictest -t1 -i 10000 -l10000 -N"),
              ElementsAre(Pair("interval", "10000us"), Pair("loops", "10000"), Pair("units", "ns")));
  EXPECT_THAT(facts_of_cyclictest("cyclictest --loops=5 --interval 200 --latency=3"),
              ElementsAre(Pair("interval", "200us"), Pair("loops", "5")));
}

TEST(CyclictestText, NanosecondsAreToldByTheirColumns) {
  EXPECT_TRUE(
      parsed("T: 0 (30723) P:80 I:1000 C:    100 Min:  20088 Act:   24471 Avg:   53879 Max:  152726\n")
          .nanoseconds);
  EXPECT_FALSE(parsed(kRound).nanoseconds);
  EXPECT_FALSE(
      parsed("T: 0 (1) P:80 I:1000 C:    100 Min:  2 Act:12345678 Avg:   53 Max:  12345678\n").nanoseconds);
}

TEST(CyclictestText, FiguresThatContradictEachOtherAreRefused) {
  EXPECT_THAT(cyclictest_refusal([] { parsed("T: 0 ( 1) P:80 I:1000 C: 5 Min: 9 Act: 2 Avg: 3 Max: 4\n"); }),
              HasSubstr("contradict"));
  EXPECT_THAT(cyclictest_refusal([] {
                read_listing("T: 0 ( 1) P:80 I:1000 C: 5 Min: 1 Act: 2 Avg: 30 Max: 4\n", {}, "log");
              }),
              HasSubstr("contradict"));
}

constexpr std::string_view kJson = R"({
  "file_version": 1,
  "cmdline:": "cyclictest -t2 -i 200 -l 10 -h 5 -q --json=x",
  "rt_test_version:": "2.40",
  "start_time": "Fri, 28 Aug 2026 23:30:00 -0500",
  "end_time": "Sat, 29 Aug 2026 06:30:01 +0200",
  "return_code": 0,
  "sysinfo": {"sysname": "Linux", "nodename": "studio", "release": "6.1.0-rt", "version": "#1 SMP PREEMPT_RT",
              "machine": "x86_64", "realtime": 1},
  "num_threads": 2,
  "resolution_in_ns": 0,
  "thread": {
    "1": {"histogram": {"2": 3, "4": 6}, "cycles": 10, "min": 2, "max": 77, "avg": 3.50, "cpu": 1, "node": 0},
    "0": {"histogram": {"2": 10}, "cycles": 10, "min": 2, "max": 2, "avg": 2.00, "cpu": 0, "node": 0}
  }
})";

TEST(CyclictestJson, KeysWithAStrayColonAndWithout) {
  std::string without(kJson);
  for (const char* const key : {"cmdline:", "rt_test_version:"})
    without.replace(without.find(key), std::string_view(key).size(),
                    std::string(key, std::string_view(key).size() - 1));
  for (const auto& text : {std::string(kJson), without}) {
    const auto listing = parse_cyclictest_json(text, "x.json");
    EXPECT_EQ(listing.facts.at("version"), "2.40");
    EXPECT_EQ(listing.facts.at("cmdline"), "cyclictest -t2 -i 200 -l 10 -h 5 -q --json=x");
    EXPECT_EQ(listing.facts.at("kernel"), "6.1.0-rt #1 SMP PREEMPT_RT");
    EXPECT_EQ(listing.facts.at("preempt"), "rt");
    EXPECT_EQ(listing.facts.at("start"), "2026-08-29T04:30:00Z");
    EXPECT_EQ(listing.facts.at("end"), "2026-08-29T04:30:01Z");
    EXPECT_FALSE(listing.nanoseconds);
    ASSERT_EQ(listing.rounds.size(), 1u);
    const auto& round = listing.rounds[0];
    EXPECT_THAT(round.histogram, ElementsAre(Pair(2, 13), Pair(4, 6)));
    ASSERT_EQ(round.threads.size(), 2u);
    EXPECT_EQ(round.threads[1].max, 77);
    EXPECT_EQ(round.threads[1].average, 3.5);
    EXPECT_EQ(round.threads[1].overflow, 1) << "ten cycles, nine in the histogram";
    EXPECT_EQ(round.threads[0].overflow, 0);
  }
}

TEST(CyclictestJson, WhatIsNoneIsRefused) {
  const auto refusal = [](const std::string& text) {
    return cyclictest_refusal([&] { parse_cyclictest_json(text, "x.json"); });
  };
  EXPECT_THAT(refusal("{\"thread\": "), HasSubstr("cut off"));
  EXPECT_THAT(refusal("{\"schema\": \"xrunlab/run/1\"}"), HasSubstr("no thread"));
  EXPECT_THAT(refusal(R"({"thread": {"0": {"cycles": 5, "min": 1}}})"), HasSubstr("without cycles or max"));
  EXPECT_THAT(refusal(R"({"thread": {"0": {"cycles": 5, "min": 9, "max": 2}}})"), HasSubstr("contradict"));
  EXPECT_THAT(refusal(R"({"thread": {"0": {"cycles": 5, "max": 2, "histogram": {"1": 6}}}})"),
              HasSubstr("more wake-ups"));
  EXPECT_THAT(refusal(R"({"thread": {"0": {"cycles": 5, "max": 2, "histogram": {"1": -6}}}})"),
              HasSubstr("row"));
}

}  // namespace
}  // namespace xrunlab
