#include "xrunlab/report/plot_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using testing::HasSubstr;

TEST(PlotPicture, TheEndingIsTheFormat) {
  EXPECT_EQ(picture_format("a.png"), PictureFormat::png);
  EXPECT_EQ(picture_format("dir.svg/x.PNG"), PictureFormat::png);
  EXPECT_EQ(picture_format("x.svg"), PictureFormat::svg);
  for (const char* const other : {"", "png", "x.pdf", "x.png ", "dir.png/x", "x.svg.gz", "-"})
    EXPECT_EQ(picture_format(other), std::nullopt) << other;
}

PlotPicture small_picture(const std::string& text) {
  return {.heading = {text},
          .x = {.label = text, .high = 10},
          .panels = {{.y = {.label = text, .scale = AxisScale::log, .low = 0.01, .high = 10},
                      .curves = {{text, "#000000", CurveStyle::steps, {{0, 1, 5}, {1, 2, 6}, {4, 5, 7}}},
                                 {"no points", "#000000", CurveStyle::impulses, {}}}},
                     {.y = {.label = "empty"}, .curves = {}}}};
}

TEST(PlotPicture, AHoleBreaksTheLine) {
  EXPECT_THAT(gnuplot_script(small_picture("x"), PictureFormat::png),
              HasSubstr("0 5\n1 5\n1 6\n2 6\n\n4 7\n5 7\nend_of_curve\n"));
}

TEST(PlotPicture, PanelsAndCurvesWithoutPointsAreLeftOut) {
  const std::string script = gnuplot_script(small_picture("x"), PictureFormat::svg);
  EXPECT_THAT(script, testing::Not(HasSubstr("no points")));
  EXPECT_THAT(script, testing::Not(HasSubstr("empty")));
  EXPECT_THAT(script, HasSubstr("set terminal svg noenhanced size 800,500"));
}

TEST(PlotPicture, TextIsNeverACommand) {
  const std::string script =
      gnuplot_script(small_picture("'; system(\"id\")\n!id `id` {/Bold x} \\ @m # '"), PictureFormat::svg);
  // Between single quotes only a quote is special, and there is none; no line breaks out.
  EXPECT_THAT(script, HasSubstr("'\u2019; system(\"id\")?!id `id` {/Bold x} \\ @m # \u2019'"));
  EXPECT_THAT(script, testing::Not(HasSubstr("\n!id")));
}

}  // namespace
}  // namespace xrunlab
