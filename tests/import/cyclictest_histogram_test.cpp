#include "xrunlab/import/cyclictest_histogram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::Pair;

CyclictestListing histogram_in(std::string_view text) {
  const auto parts = cut_listing(text, {}, "log");
  return parse_cyclictest_text(parts.at(0).lines, "log");
}

constexpr std::string_view kTwoThreads =
    "# /dev/cpu_dma_latency set to 0us\n"
    "# Histogram\n"
    "000000 000000\t000000\n"
    "000001 000100\t000050\n"
    "000002 000700\t000800\n"
    "# Total: 000000800 000000850\n"
    "# Min Latencies: 00001 00001\n"
    "# Avg Latencies: 00001 00003\n"
    "# Max Latencies: 00002 00123\n"
    "# Histogram Overflows: 00000 00007\n"
    "# Histogram Overflow at cycle number:\n"
    "# Thread 0:\n"
    "# Thread 1: 00012 00044 # 00005 others\n";

TEST(CyclictestHistogram, RowsAndLinesBelow) {
  const auto listing = histogram_in(kTwoThreads);
  ASSERT_EQ(listing.rounds.size(), 1u);
  const auto& round = listing.rounds[0];
  EXPECT_THAT(round.histogram, ElementsAre(Pair(1, 150), Pair(2, 1500)));
  ASSERT_EQ(round.threads.size(), 2u);
  EXPECT_EQ(round.threads[0].cycles, 800);
  EXPECT_EQ(round.threads[1].cycles, 857) << "those beyond the histogram were wake-ups too";
  EXPECT_EQ(round.threads[1].overflow, 7);
  EXPECT_EQ(round.threads[1].max, 123);
  EXPECT_EQ(round.threads[1].average, 3);
  EXPECT_FALSE(round.threads[0].interval_us);
}

TEST(CyclictestHistogram, NumbersOfCyclesThatAMailerHasBrokenAreNoRows) {
  const std::string text(kTwoThreads.substr(0, kTwoThreads.find("# Thread 0:")));
  const auto listing = histogram_in(text +
                                    "# Thread 0: 1000001 1000002\n1000003 1000004\n# 00005\nothers\n"
                                    "# Thread 1: 2000000\n2000001 2000002\n# Histogram\n" +
                                    text.substr(text.find("000000")));
  ASSERT_EQ(listing.rounds.size(), 2u);
  for (const auto& round : listing.rounds) EXPECT_EQ(round.threads.at(1).cycles, 857);
}

TEST(CyclictestHistogram, WithASumColumnAndWithoutItsFirstLine) {
  const auto listing = histogram_in(
      "cyclictest -H5 -t2 -q# /dev/cpu_dma_latency set to 0us\n"
      "000001 000100\t000050\t000150\n"
      "000002 000700\t000800\t001500\n"
      "# Total: 000000800 000000850 000001650\n"
      "# Min Latencies: 00001 00001\n"
      "# Avg Latencies: 00001 00003\n"
      "# Max Latencies: 00002 00002 00002\n"
      "# Histogram Overflows: 00000 00000 00000\n");
  ASSERT_EQ(listing.rounds.size(), 1u);
  EXPECT_THAT(listing.rounds[0].histogram, ElementsAre(Pair(1, 150), Pair(2, 1500)));
  EXPECT_EQ(listing.rounds[0].threads.size(), 2u);
}

TEST(CyclictestHistogram, RowsThatAMailerHasBroken) {
  const auto listing = histogram_in(
      "> # Histogram\n"
      "> 000001 000100\t000050\n"
      "> 000007\n"
      "> 000002 000700\n"
      "> 000800 000009\n"
      "> # Min Latencies: 00001 00001\n"
      "> 00001\n"
      "> # Avg Latencies: 00001 00003 00002\n"
      "> # Max Latencies: 00002 00002 00002\n"
      "> # Histogram Overflows: 00000\n"
      "> 00000 00001\n");
  ASSERT_EQ(listing.rounds.size(), 1u);
  EXPECT_THAT(listing.rounds[0].histogram, ElementsAre(Pair(1, 157), Pair(2, 1509)));
  EXPECT_EQ(listing.rounds[0].threads.at(2).overflow, 1);
}

TEST(CyclictestHistogram, BelongsToTheLinesAboveIt) {
  const std::string lines =
      "T: 0 (   10) P:80 I:1000 C:    801 Min:      1 Act:    2 Avg:    1 Max:       2\n"
      "T: 1 (   11) P:80 I:1000 C:    857 Min:      1 Act:    2 Avg:    3 Max:     123\n";
  const auto listing = histogram_in(lines + std::string(kTwoThreads) + lines + std::string(kTwoThreads));
  ASSERT_EQ(listing.rounds.size(), 2u);
  for (const auto& round : listing.rounds) {
    EXPECT_EQ(round.threads.at(0).interval_us, 1000);
    EXPECT_EQ(round.threads[0].cycles, 801);
    EXPECT_EQ(round.threads.at(1).overflow, 7);
    EXPECT_EQ(round.histogram.at(2), 1500);
  }
}

TEST(CyclictestHistogram, SeveralOneBelowAnotherAreRoundsOfTheirOwn) {
  EXPECT_EQ(histogram_in(std::string(kTwoThreads) + std::string(kTwoThreads)).rounds.size(), 2u);
  const std::string bare(kTwoThreads.substr(0, kTwoThreads.find("# Histogram Overflow at")));
  EXPECT_EQ(histogram_in(bare + bare).rounds.size(), 2u);
}

TEST(CyclictestHistogram, OneThatIsCutOffIsRefused) {
  for (const auto* const end : {"# Max Lat", "# Histogram Over", "# Min"})
    EXPECT_THROW(histogram_in(kTwoThreads.substr(0, kTwoThreads.find(end))), Error) << end;
  std::string torn(kTwoThreads);
  torn.erase(torn.find("\t000800"), 7);
  EXPECT_THROW(histogram_in(torn), Error);
}

}  // namespace
}  // namespace xrunlab
