#include "xrunlab/report/jack_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/sample_jack.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::DoubleEq;
using testing::HasSubstr;

const PlotCurve& jack_curve(const PlotPicture& picture, std::size_t panel, const std::string& title) {
  for (const auto& curve : picture.panels.at(panel).curves) {
    if (curve.title.starts_with(title)) return curve;
  }
  static const PlotCurve kNone{"", "", CurveStyle::steps, {{}}};
  ADD_FAILURE() << "no curve " << title;
  return kNone;
}

TEST(JackPlot, EachSecondIsAStep) {
  const PlotPicture picture = jack_picture(sample_jack_run(), "run.json");
  ASSERT_EQ(picture.panels.size(), 3u);
  const auto& delay = jack_curve(picture, 0, "delay");
  ASSERT_EQ(delay.points.size(), 1u) << "nothing is drawn of a second without a cycle";
  EXPECT_THAT(delay.points[0].y, DoubleEq(0.3085));
  EXPECT_THAT(jack_curve(picture, 0, "cycle").points[0].y, DoubleEq(0.845));
  EXPECT_THAT(jack_curve(picture, 0, "period 1.45ms").points[0].y, DoubleEq(1.451247));
  EXPECT_THAT(jack_curve(picture, 0, "bound 1.00ms").points[0].y, DoubleEq(1));
  EXPECT_THAT(jack_curve(picture, 1, "DSP load").points[0].y, DoubleEq(44));
  const auto& xruns = jack_curve(picture, 2, "2 client-not-finished");
  ASSERT_EQ(xruns.points.size(), 2u);
  EXPECT_EQ(xruns.points[0].y, 2);
  EXPECT_EQ(xruns.points[1].y, 0);
  EXPECT_EQ(jack_curve(picture, 2, "96 of the driver").points[0].y, 96);
  EXPECT_EQ(picture.x.label, "since the measurement began, ms");
  EXPECT_THAT(picture.x.high, DoubleEq(1500));
}

TEST(JackPlot, FailedClientsAreMarked) {
  RunData run = sample_jack_run();
  run.jack->seconds.back().length_ns = 4'000'000'000;
  const PlotPicture picture = jack_picture(run, "run.json");
  EXPECT_EQ(jack_curve(picture, 2, "1 failed client").points[0].x, 3);
}

TEST(JackPlot, ATableWithoutSecondsIsRefused) {
  RunData run = sample_jack_run();
  run.jack->seconds.clear();
  EXPECT_THROW(jack_picture(run, "run.json"), Error);
}

}  // namespace
}  // namespace xrunlab
