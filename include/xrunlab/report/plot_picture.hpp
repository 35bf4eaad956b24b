// A chart as plain data, panels of curves over one x axis, and the gnuplot script that draws it. Made from
// run files by play_plot and its neighbours for `xrunlab plot`; pure, no thread of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

enum class PictureFormat { png, svg };

/// By the ending of the file's name, in either case; nothing for another one.
std::optional<PictureFormat> picture_format(std::string_view file_name);

enum class CurveStyle {
  steps,     ///< each point a level from x to x_end; levels that touch are joined
  limit,     ///< the same, dashed: what is allowed, what there is at the most
  impulses,  ///< a line from the panel's bottom to y at each x
  bands,     ///< the whole height of the panel from x to x_end, tinted
  bars,      ///< a bar from x to x_end as high as y
};

struct CurvePoint {
  double x = 0;
  double x_end = 0;
  double y = 0;
};

struct PlotCurve {
  std::string title;  ///< for the legend
  std::string color;  ///< "#RRGGBB"
  CurveStyle style = CurveStyle::steps;
  std::vector<CurvePoint> points;  ///< ascending
};

enum class AxisScale {
  linear,
  log,
  bare,  ///< without numbers: only marks are drawn
};

struct PlotAxis {
  std::string label;  ///< with its unit
  AxisScale scale = AxisScale::linear;
  double low = 0;
  double high = 1;  ///< above low; both above 0 on a logarithmic axis
};

struct PlotPanel {
  PlotAxis y;
  double height = 1;  ///< beside the other panels'
  std::vector<PlotCurve> curves;
};

struct PlotPicture {
  std::vector<std::string> heading;  ///< paragraphs above the panels, wrapped; at most five lines are drawn
  PlotAxis x;
  std::vector<PlotPanel> panels;  ///< from top to bottom, at most three that have a curve with a point
};

/// What gnuplot has to be fed with to get the picture, 800 by 500, on its standard output. Texts are taken as
/// they are, but for the apostrophe, which becomes ’: nothing in them is a command, a substitution or
/// mark-up.
std::string gnuplot_script(const PlotPicture& picture, PictureFormat format);

}  // namespace xrunlab
