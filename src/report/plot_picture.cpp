#include "xrunlab/report/plot_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

// A mail or an issue shows so much without scrolling.
constexpr int kWidth = 800;
constexpr int kHeight = 500;
constexpr double kLineHeight = 15;  // of a heading's line, and of a panel's legend
constexpr std::size_t kHeadingColumns = 118;
constexpr std::size_t kHeadingLines = 5;
constexpr double kPanelGap = 8;
constexpr double kBottom = 44;  // numbers and label of the x axis
constexpr double kLeft = 0.09;
constexpr double kRight = 0.97;
constexpr double kNumbersAcross = 12;
constexpr double kNumberHeight = 18;  // with some air
// More decades than so many get a number each second one.
constexpr double kMostDecadeNumbers = 6;

/// Between single quotes nothing is special to gnuplot but the quote itself, and its doubling fails at the
/// beginning of a text: so the text gets the typographic one.
std::string gnuplot_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : printable(text)) {
    if (letter == '\'') {
      quoted += "\u2019";
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

/// From the top, in pixels, as gnuplot wants it: a share from the bottom.
double screen(double pixels_from_top) {
  return 1 - pixels_from_top / kHeight;
}

std::string data_block(std::size_t number, const PlotCurve& curve) {
  std::string block = fmt::format("$curve{} << end_of_curve\n", number);
  const CurvePoint* before = nullptr;
  const bool level = curve.style == CurveStyle::steps || curve.style == CurveStyle::limit;
  for (const auto& point : curve.points) {
    if (level) {
      if (before != nullptr && before->x_end < point.x) block += "\n";  // nothing is known of between
      block += fmt::format("{:.9g} {:.9g}\n{:.9g} {:.9g}\n", point.x, point.y, point.x_end, point.y);
    } else {
      block += fmt::format("{:.9g} {:.9g} {:.9g}\n", point.x, point.x_end, point.y);
    }
    before = &point;
  }
  return block + "end_of_curve\n";
}

std::string drawn(std::size_t number, const PlotCurve& curve, const PlotAxis& y) {
  std::string how;
  switch (curve.style) {
    case CurveStyle::steps:
      how = fmt::format("using 1:2 with lines lw 1.2 lc rgb '{}'", curve.color);
      break;
    case CurveStyle::limit:
      how = fmt::format("using 1:2 with lines lw 1.5 dt 2 lc rgb '{}'", curve.color);
      break;
    case CurveStyle::impulses:
      how = fmt::format("using 1:3 with impulses lw 1 lc rgb '{}'", curve.color);
      break;
    case CurveStyle::bands:
      how = fmt::format(
          "using 1:({0:.9g}):1:2:({0:.9g}):({1:.9g}) with boxxyerror fs transparent solid 0.35 noborder lc "
          "rgb '{2}'",
          y.low, y.high, curve.color);
      break;
    case CurveStyle::bars:
      how = fmt::format("using 1:3:1:2:({:.9g}):3 with boxxyerror fs solid 0.8 noborder lc rgb '{}'", y.low,
                        curve.color);
      break;
  }
  return fmt::format("$curve{} {} title {}", number, how, gnuplot_quoted(curve.title));
}

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (decade * times >= least) return decade * times;
  }
  return decade * 10;
}

/// `numbers`: so many have room.
std::string axis(char name, const PlotAxis& axis, double numbers) {
  const std::string range = fmt::format("set {0}range [{1:.9g}:{2:.9g}]\n", name, axis.low, axis.high);
  switch (axis.scale) {
    case AxisScale::bare:
      return range + fmt::format("unset logscale {0}\nunset {0}tics\n", name);
    case AxisScale::linear:
      return range + fmt::format("unset logscale {0}\nset {0}tics {1:.9g}\n", name,
                                 round_step((axis.high - axis.low) / numbers));
    case AxisScale::log:
      break;
  }
  const bool many = std::log10(axis.high / axis.low) > kMostDecadeNumbers;
  return range + fmt::format("set logscale {0} 10\nset {0}tics {1}\n", name, many ? 100 : 10);
}

bool has_points(const PlotPanel& panel) {
  return std::any_of(panel.curves.begin(), panel.curves.end(),
                     [](const PlotCurve& curve) { return !curve.points.empty(); });
}

/// The heading as labels of the first panel; returns how many lines it took.
std::size_t put_heading(std::string& script, const std::vector<std::string>& heading) {
  std::size_t count = 0;
  for (const auto& paragraph : heading) {
    for (const auto& line : wrapped(paragraph, kHeadingColumns)) {
      if (count == kHeadingLines) return count;
      script += fmt::format("set label {} {} at screen 0.01,{:.4f} left\n", count + 1, gnuplot_quoted(line),
                            screen(kLineHeight * (static_cast<double>(count) + 0.7)));
      ++count;
    }
  }
  return count;
}

}  // namespace

std::optional<PictureFormat> picture_format(std::string_view file_name) {
  const auto dot = file_name.rfind('.');
  if (dot == std::string_view::npos || file_name.find('/', dot) != std::string_view::npos)
    return std::nullopt;
  std::string ending(file_name.substr(dot + 1));
  for (char& letter : ending) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  if (ending == "png") return PictureFormat::png;
  if (ending == "svg") return PictureFormat::svg;
  return std::nullopt;
}

std::string gnuplot_script(const PlotPicture& picture, PictureFormat format) {
  std::string script = fmt::format(
      "set encoding utf8\n"
      "set terminal {} noenhanced size {},{} font 'Sans,9' background rgb 'white'\n",
      format == PictureFormat::png ? "pngcairo" : "svg", kWidth, kHeight);
  std::size_t number = 0;
  double heights = 0;
  std::vector<const PlotPanel*> panels;
  for (const auto& panel : picture.panels) {
    if (!has_points(panel)) continue;
    panels.push_back(&panel);
    heights += panel.height;
    for (const auto& curve : panel.curves) script += data_block(number++, curve);
  }
  script += "set multiplot\nset border 3\nset tics nomirror\nset grid lc rgb '#dddddd'\n";
  double top = kLineHeight * (static_cast<double>(put_heading(script, picture.heading)) + 0.5);
  const double all = kHeight - kBottom - top - static_cast<double>(panels.size()) * (kLineHeight + kPanelGap);
  script += fmt::format("set lmargin at screen {}\nset rmargin at screen {}\n", kLeft, kRight);
  script += axis('x', picture.x, kNumbersAcross) + "set format x ''\n";
  number = 0;
  for (const auto* const panel : panels) {
    const double legend = top + kLineHeight / 2;
    top += kLineHeight;
    const double bottom = top + all * panel->height / heights;
    script += fmt::format("set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}\n", screen(top),
                          screen(bottom));
    script += fmt::format("set key at screen {:.4f},{:.4f} right center horizontal maxrows 1 samplen 1.5\n",
                          kRight, screen(legend));
    script += axis('y', panel->y, (bottom - top) / kNumberHeight) +
              fmt::format("set ylabel {}\n", gnuplot_quoted(panel->y.label));
    if (panel == panels.back())
      script += fmt::format("set format x '%g'\nset xlabel {}\n", gnuplot_quoted(picture.x.label));
    std::string curves;
    for (const auto& curve : panel->curves) {
      if (!curve.points.empty()) curves += (curves.empty() ? "plot " : ", ") + drawn(number, curve, panel->y);
      ++number;
    }
    script += curves + "\nunset label\n";
    top = bottom + kPanelGap;
  }
  return script + "unset multiplot\n";
}

}  // namespace xrunlab
