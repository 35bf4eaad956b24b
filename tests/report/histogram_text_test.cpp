#include "xrunlab/report/histogram_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "tests/model/sample_run.hpp"
#include "tests/report/widest_line.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(HistogramText, BarsAreProportionalAndOneSampleIsSeen) {
  auto histogram = std::make_unique<Histogram>();
  for (int count = 0; count < 36'000; ++count) histogram->record(100);
  for (int count = 0; count < 18'000; ++count) histogram->record(200);
  histogram->record(7'000'000);
  EXPECT_EQ(histogram_text("T1", histogram->snapshot()),
            "T1: 54001 samples\n"
            "    100ns .. 100ns                 36000 " +
                std::string(36, '#') + "\n" + "    200ns .. 200ns                 18000 " +
                std::string(18, '#') + "\n" + "   6.98ms .. 7.00ms                    1 #\n");
}

TEST(HistogramText, AWideSpreadTakesCoarserRowsAndLosesNothing) {
  auto histogram = std::make_unique<Histogram>();
  for (std::int64_t ns = 0; ns < Histogram::kLargestNs / 2; ns = ns * 21 / 20 + 1) histogram->record(ns);
  const auto data = histogram->snapshot();
  std::istringstream lines(histogram_text("T1", data));
  std::string line;
  std::getline(lines, line);
  std::int64_t total = 0;
  while (std::getline(lines, line)) total += std::stoll(line.substr(21));
  EXPECT_EQ(total, data.count);
}

TEST(HistogramText, ANarrowSpreadTakesTwentyRowsAtMost) {
  EXPECT_LE(line_count(histogram_text("T1", sample_histogram(5'000))), 21u);
  EXPECT_GE(line_count(histogram_text("T1", sample_histogram(5'000))), 6u);
}

TEST(HistogramText, OverflowHasItsOwnRow) {
  auto histogram = std::make_unique<Histogram>();
  histogram->record(Histogram::kLargestNs + 1);
  EXPECT_THAT(histogram_text("io", histogram->snapshot()),
              HasSubstr("2199s .. 2199s                     1 #"));
}

TEST(HistogramText, NoneIsSaidAndNoLineIsWiderThanEightyColumns) {
  EXPECT_EQ(histogram_text("io latency", {}), "io latency: 0 samples\n");
  auto run = sample_run();
  run.io_latency = {INT64_MAX, 0, INT64_MAX, INT64_MAX, INT64_MAX / 2, {{0, 0, INT64_MAX / 2}}};
  const auto text = histograms_text(run);
  EXPECT_LE(widest_line(text), 80u);
  for (const char* title : {"T1 ring", "T2 PCM", "T3 out", "\nlateness", "\nwake lateness", "\nio latency"}) {
    EXPECT_THAT(text, HasSubstr(title));
  }
}

TEST(HistogramText, ARunWithFaultsSaysSoAbove) {
  const auto text = histograms_text(troubled_run());
  EXPECT_TRUE(text.starts_with("INJECTED    faults, so no measurement: ")) << text;
  EXPECT_LE(widest_line(text), 80u) << text;
  EXPECT_TRUE(histograms_text(sample_run()).starts_with("T1 ring read"));
}

}  // namespace
}  // namespace xrunlab
