#include "xrunlab/report/play_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/plotted_run.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

PlotPicture picture_of(const RunData& run) {
  return play_picture(run, timeline_of_run(run), "run.json");
}

const PlotCurve& curve_of(const PlotPanel& panel, const std::string& title) {
  for (const auto& curve : panel.curves) {
    if (curve.title.starts_with(title)) return curve;
  }
  static const PlotCurve kNone;
  ADD_FAILURE() << "no curve " << title;
  return kNone;
}

std::vector<double> levels(const PlotCurve& curve) {
  std::vector<double> values;
  for (const auto& point : curve.points) values.push_back(point.y);
  return values;
}

TEST(PlayPlot, WindowsAreSteps) {
  const PlotPicture picture = picture_of(plotted_run());
  ASSERT_THAT(picture.panels, SizeIs(3));
  const auto& read = curve_of(picture.panels[0], "T1");
  EXPECT_THAT(levels(read), ElementsAre(DoubleEq(1), DoubleEq(2), DoubleEq(3)));
  EXPECT_EQ(read.points[1].x, 10);
  EXPECT_EQ(read.points[1].x_end, 20);
  EXPECT_EQ(picture.x.high, 25);
  EXPECT_EQ(picture.x.label, "since the card started, s");
  EXPECT_THAT(levels(curve_of(picture.panels[0], "bound 100ms")), ElementsAre(DoubleEq(100)));
}

TEST(PlayPlot, RingAndCardAreWhatWasLeft) {
  const PlotPicture picture = picture_of(plotted_run());
  const auto& ring = picture.panels[1];
  EXPECT_EQ(ring.y.label, "ring left, s");
  EXPECT_THAT(levels(curve_of(ring, "least left")), ElementsAre(DoubleEq(4), DoubleEq(2)))
      << "nothing is drawn where nothing was measured";
  EXPECT_THAT(levels(curve_of(ring, "ring 5.00s")), ElementsAre(DoubleEq(5)));
  EXPECT_THAT(levels(curve_of(ring, "low water 2.00s")), ElementsAre(DoubleEq(2)));
  const auto& card = picture.panels[2];
  EXPECT_EQ(card.y.label, "card left, ms");
  EXPECT_THAT(levels(curve_of(card, "least left")), ElementsAre(DoubleEq(200), DoubleEq(50), DoubleEq(100)));
  EXPECT_THAT(levels(curve_of(card, "at the most 200ms")), ElementsAre(DoubleEq(200)));
}

TEST(PlayPlot, XrunsAndStarvationsAreMarked) {
  RunData run = plotted_run();
  run.xruns = {{5 * kNsPerSecond, std::nullopt}, {7 * kNsPerSecond, kNsPerSecond}};
  run.counters.device_xruns = 2;
  run.starvations = {{12 * kNsPerSecond, kNsPerSecond, 2 * kNsPerSecond, 3, 0},
                     {20 * kNsPerSecond, 1, 1, 1, 0}};
  run.counters.starvation_episodes = 2;
  run.episodes.resize(1);
  run.episodes[0].kind = "starvation";
  run.episodes[0].start_ns = 12 * kNsPerSecond;
  run.episodes[0].duration_ns = kNsPerSecond;
  run.episodes[0].cause = "disk";
  const PlotPicture picture = picture_of(run);
  const auto& starved = curve_of(picture.panels[1], "2 starvations");
  EXPECT_EQ(starved.style, CurveStyle::bands);
  EXPECT_EQ(starved.points[0].x_end, 14);
  EXPECT_GT(starved.points[1].x_end - starved.points[1].x, 0.01) << "the shortest can be seen";
  const auto& xruns = curve_of(picture.panels[2], "2 xruns");
  EXPECT_EQ(xruns.points[0].x, 5);
  EXPECT_LT(xruns.points[0].x_end, 5.1) << "how long the card was dry is not known";
  EXPECT_EQ(xruns.points[1].x_end, 8);
  EXPECT_THAT(picture.heading.back(), HasSubstr("the worst: starvation of 1.00s at 12.0s, cause: disk"));
}

TEST(PlayPlot, DrawsNoPanelThatTheRunLacks) {
  RunData run = plotted_run();
  run.ring.used = false;
  run.device.paced = false;
  for (auto& window : run.windows) window.slack_low_water_frames = std::nullopt;
  const PlotPicture picture = picture_of(run);
  EXPECT_THAT(picture.panels, SizeIs(1));
  EXPECT_EQ(picture.x.label, "since the first write, s");
  curve_of(picture.panels[0], "T2 write");
}

TEST(PlayPlot, SaysWhatTheRecordLacks) {
  const RunData run = plotted_run();
  PlayTimeline timeline = timeline_of_run(run);
  timeline.lacks = "100 fragments";
  EXPECT_THAT(play_picture(run, timeline, "run.json").heading.back(), HasSubstr("not whole: 100 fragments"));
}

TEST(PlayPlot, SaysThatFaultsWereInjected) {
  RunData run = plotted_run();
  run.fault_injected = true;
  run.faults = {{"read-delay:ms=1", 1, 0}};
  EXPECT_THAT(picture_of(run).heading, testing::Contains(HasSubstr("INJECTED faults")));
}

TEST(PlayPlot, ARunThatNeverPlayedIsRefused) {
  RunData run = plotted_run();
  run.windows.clear();
  run.window.exposure_ns = 0;
  try {
    picture_of(run);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_THAT(error.what(), HasSubstr("run.json: there is nothing to be drawn"));
  }
}

TEST(PlayPlot, HostileNumbersAreDrawnSomehow) {
  RunData run = plotted_run();
  run.device.rate_hz = std::int64_t{1} << 32;
  run.bound_ns = INT64_MIN;
  run.window.exposure_ns = INT64_MAX;
  run.windows[1] = {INT64_MAX, INT64_MAX, 1, INT64_MAX, INT64_MIN, 0, 0, 0, 0, INT64_MAX, INT64_MIN};
  run.starvations = {{INT64_MAX, INT64_MAX, INT64_MAX, 1, 0}};
  EXPECT_THAT(gnuplot_script(picture_of(run), PictureFormat::svg), HasSubstr("plot $curve1"));
}

}  // namespace
}  // namespace xrunlab
