#include "xrunlab/import/cyclictest_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"
#include "xrunlab/import/read_listing.hpp"
#include "xrunlab/model/latency.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

CyclictestListing parsed_samples(std::string_view text) {
  const auto parts = cut_listing(text, {}, "log");
  return parse_cyclictest_text(parts.at(0).lines, "log");
}

// Cycle 2 was woken in no time, so it stands with the number of the cycle before.
constexpr std::string_view kSamples =
    "# /dev/cpu_dma_latency set to 0us\n"
    "Max CPUs = 2\n"
    "Thread 0 Interval: 1500\n"
    "Thread 1 Interval: 2000\n"
    "       0:       0:      42\n"
    "       0:       1:       7\n"
    "       1:       0:      12\n"
    "       0:       1:       0\n"
    "       1:       1:  123456\n"
    "       0:       3:      42\n";

TEST(CyclictestSamples, EachLineIsAWakeUp) {
  const auto listing = parsed_samples(kSamples);
  ASSERT_EQ(listing.rounds.size(), 1u);
  const auto& round = listing.rounds[0];
  EXPECT_THAT(round.histogram,
              ElementsAre(Pair(0, 1), Pair(7, 1), Pair(12, 1), Pair(42, 2), Pair(123'456, 1)));
  ASSERT_EQ(round.threads.size(), 2u);
  EXPECT_EQ(round.threads[0].cycles, 4);
  EXPECT_FALSE(round.threads[0].interval_us) << "that of the next one is printed there";
  EXPECT_EQ(round.threads[0].min, 0);
  EXPECT_EQ(round.threads[0].max, 42);
  EXPECT_EQ(round.threads[0].last, 42);
  EXPECT_DOUBLE_EQ(round.threads[0].average.value(), (42 + 7 + 0 + 42) / 4.0);
  EXPECT_EQ(round.threads[1].max, 123'456);
  EXPECT_FALSE(round.planned) << "none is missing";
}

TEST(CyclictestSamples, ACallThatBeginsAnewIsARound) {
  const auto listing = parsed_samples(
      "       0:       0:       5\n       0:       1:       6\n"
      "       0:       0:       7\n       0:       1:       8\n");
  ASSERT_EQ(listing.rounds.size(), 2u);
  EXPECT_EQ(listing.rounds[0].threads.at(0).max, 6);
  EXPECT_EQ(listing.rounds[1].threads.at(0).min, 7);
}

TEST(CyclictestSamples, AHistogramBelowThemIsOfTheSameRound) {
  const std::string histogram =
      "# Histogram\n000005 000001\n000006 000001\n# Total: 000000002\n# Min Latencies: 00005\n"
      "# Avg Latencies: 00005\n# Max Latencies: 00006\n# Histogram Overflows: 00000\n";
  const std::string samples = "       0:       0:       5\n       0:       1:       6\n";
  const auto listing = parsed_samples(samples + histogram + samples + histogram);
  ASSERT_EQ(listing.rounds.size(), 2u);
  EXPECT_EQ(listing.rounds[1].threads.at(0).cycles, 2);
  EXPECT_DOUBLE_EQ(listing.rounds[0].threads.at(0).average.value(), 5.5) << "of the samples";
}

TEST(CyclictestSamples, TheLinesOfThreadsBelowThemAreOfTheSameRound) {
  const std::string call =
      "       0:       0:       5\n       0:       1:       6\n       1:       0:       7\n"
      "T: 0 (   10) P:80 I:1000 C:      2 Min:      5 Act:    6 Avg:    5 Max:       6\n"
      "T: 1 (   11) P:80 I:1500 C:      3 Min:      4 Act:    9 Avg:    6 Max:       9\n";
  const auto listing = parsed_samples(call + call);
  ASSERT_EQ(listing.rounds.size(), 2u);
  const auto& round = listing.rounds[1];
  ASSERT_EQ(round.threads.size(), 2u);
  EXPECT_EQ(round.threads[1].id, 11);
  EXPECT_EQ(round.threads[1].interval_us, 1500);
  EXPECT_EQ(round.threads[1].cycles, 1) << "samples";
  EXPECT_EQ(round.threads[1].max, 9) << "the largest is among those that were not printed";
  EXPECT_EQ(round.planned, 5);
}

TEST(CyclictestSamples, ATimeOfDayIsNone) {
  CyclictestSamples samples;
  EXPECT_FALSE(samples.take("12:30:45"));
  EXPECT_FALSE(samples.take("0:       1:      42 cats"));
  EXPECT_FALSE(samples.take("0:       1:"));
  EXPECT_TRUE(samples.empty());
  EXPECT_TRUE(samples.take("0:       1:      42       0")) << "--smi";
}

TEST(CyclictestSamples, ThoseThatAreCutOffMakeTheRoundPartial) {
  const auto run = read_listing("       0:    9000:       5\n       0:    9001:       6\n", {}, "log").at(0);
  EXPECT_EQ(run.latency.rounds.at(0).planned, 9002);
  EXPECT_EQ(is_whole(run.latency.rounds[0]), false);
  EXPECT_THAT(run.imported->notes, ElementsAre(HasSubstr("is partial: 2 of 9002 wake-ups")));
}

TEST(CyclictestSamples, TheLargestOfSeveralAreNoSamples) {
  try {
    parsed_samples("       0:       3:      42\n       0:      11:      50\n       0:      27:      41\n");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_THAT(error.what(), HasSubstr("-o"));
  }
}

TEST(CyclictestSamples, PercentilesAreOfAllSamples) {
  std::string text = "cyclictest -v -l 1000\n";
  char line[40];
  for (int cycle = 0; cycle < 1000; ++cycle) {
    std::snprintf(line, sizeof(line), "%8d:%8d:%8d\n", 0, cycle, 1 + (cycle * 7) % 1000);
    text += line;
  }
  const auto run = read_listing(text, {}, "log").at(0);
  EXPECT_EQ(run.latency.all.count, 1000);
  EXPECT_EQ(run.latency.all.percentiles_ns.at("p50"), 500'999) << "the upper edge of its microsecond";
  EXPECT_EQ(run.latency.all.percentiles_ns.at("p99"), 990'999);
  EXPECT_EQ(run.latency.all.max_ns, 1'000'000);
  EXPECT_EQ(is_whole(run.latency.rounds.at(0)), true);
}

}  // namespace
}  // namespace xrunlab
