#include "xrunlab/report/latency_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/sample_latency.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

TEST(LatencyPlot, EveryWakeUpStandsInABar) {
  const RunData run = sample_latency_run();
  const PlotPicture picture = latency_picture(run, "run.json");
  ASSERT_EQ(picture.panels.size(), 1u);
  const auto& bars = picture.panels[0].curves[0];
  double sum = 0;
  double before = 0;
  for (const auto& bar : bars.points) {
    EXPECT_GE(bar.x, before) << "ascending";
    EXPECT_GT(bar.x_end, bar.x);
    before = bar.x;
    sum += bar.y;
  }
  EXPECT_EQ(sum, 29'573);
  EXPECT_LE(bars.points.size(), 200u);
  EXPECT_EQ(picture.x.low, 1) << "from 3 us";
  EXPECT_DOUBLE_EQ(picture.x.high, 148 * 1.2);
}

TEST(LatencyPlot, MaximumPercentilesAndLimitAreMarked) {
  RunData run = sample_latency_run();
  run.latency.probe.limit_ns = 100'000;
  std::string titles;
  const PlotPicture picture = latency_picture(run, "run.json");
  for (const auto& curve : picture.panels[0].curves) titles += curve.title + ";";
  EXPECT_THAT(titles, HasSubstr("p50 5."));
  EXPECT_THAT(titles, HasSubstr("p99.9 7."));
  EXPECT_THAT(titles, HasSubstr("max 148us;"));
  EXPECT_THAT(titles, HasSubstr("limit 100us;"));
}

TEST(LatencyPlot, SaysWhatIsBeyondTheHistogram) {
  RunData run = sample_latency_run();
  run.latency.all.overflow = 2;
  EXPECT_THAT(latency_picture(run, "run.json").heading.back(), HasSubstr("2 wake-ups came later"));
}

TEST(LatencyPlot, AListingWithoutAHistogramIsRefused) {
  try {
    latency_picture(sparse_latency_run(), "run.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_THAT(error.what(), HasSubstr("run.json: there is nothing to be drawn"));
  }
}

}  // namespace
}  // namespace xrunlab
