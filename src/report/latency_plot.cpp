#include "xrunlab/report/latency_plot.hpp"

#include <algorithm>
#include <cmath>

#include "plot_parts.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/latency.hpp"

namespace xrunlab {
namespace {

// About as many bars as can be told apart.
constexpr double kMostBars = 200;
constexpr double kLeastOfAxis_us = 0.001;
constexpr double kPastTheLast = 1.2;  // so that the longest does not lie on the edge

double in_us(std::int64_t ns) {
  return static_cast<double>(ns) / 1e3;
}

double decade_below(double value) {
  return std::pow(10, std::floor(std::log10(std::max(value, kLeastOfAxis_us))));
}

double decade_above(double value) {
  return std::pow(10, std::ceil(std::log10(std::max(value, kLeastOfAxis_us))));
}

/// Buckets joined to bars that look alike on a logarithmic axis from `low` to
/// `high`: a bucket stands in the bar in which it begins.
std::vector<CurvePoint> bars_of(const std::vector<HistogramBucket>& buckets, double low, double high) {
  const double width = std::log10(high / low) / kMostBars;
  const auto edge = [&](double index) { return low * std::pow(10, index * width); };
  std::vector<CurvePoint> bars;
  double last = -1;
  for (const auto& bucket : buckets) {
    const double index = std::clamp(std::floor(std::log10(std::max(in_us(bucket.low_ns), low) / low) / width),
                                    0.0, kMostBars - 1);
    if (index != last) bars.push_back({edge(index), edge(index + 1), 0});
    bars.back().y += static_cast<double>(bucket.count);
    // A bucket is as wide as its bar at the least: one of a nanosecond is no
    // gap to the next one.
    bars.back().x_end = std::max(bars.back().x_end, std::min(high, in_us(bucket.high_ns + 1)));
    last = index;
  }
  return bars;
}

PlotCurve mark(const std::string& name, std::int64_t at_ns, const char* color, double high) {
  const double x = std::max(in_us(at_ns), kLeastOfAxis_us);
  return {name + " " + short_duration(at_ns), color, CurveStyle::impulses, {{x, x, high}}};
}

std::string how(const RunData& run) {
  const auto& probe = run.latency.probe;
  std::string text = "xrunlab " + run.kind;
  if (!run.start.empty()) text += ", " + run.start;
  if (!run.system.kernel.empty())
    text += ", Linux " + run.system.kernel.substr(0, run.system.kernel.find(' '));
  if (!run.system.preempt.empty()) text += ", preemption " + run.system.preempt;
  if (!probe.clock.empty()) text += ", " + probe.clock;
  if (probe.threads) text += ", " + counted(*probe.threads, "thread");
  if (probe.interval_ns) text += " every " + spoken_duration(*probe.interval_ns);
  return text + ", load " + run.load;
}

}  // namespace

PlotPicture latency_picture(const RunData& run, const std::string& shown) {
  if (!run.latency.all.histogram || run.latency.all.histogram->empty()) {
    throw Error(ExitCode::input_file, shown +
                                          ": there is nothing to be drawn: it holds no histogram "
                                          "of wake-ups");
  }
  const LatencyData& latency = run.latency;
  const auto& buckets = *latency.all.histogram;
  const double least = decade_below(in_us(latency.all.min_ns.value_or(buckets.front().low_ns)));
  const std::int64_t most_ns =
      std::max(latency.all.max_ns.value_or(buckets.back().high_ns), latency.probe.limit_ns.value_or(0));
  PlotPicture picture{.heading = {how(run), run.verdict_line}};
  picture.x = {.label = "wake-up lateness, us",
               .scale = AxisScale::log,
               .low = least,
               .high = std::max(least * 10, in_us(most_ns) * kPastTheLast)};
  PlotPanel panel{.y = {.label = "wake-ups", .scale = AxisScale::log, .low = 0.5}};
  PlotCurve bars{"wake-ups", plot_color::kBlue, CurveStyle::bars,
                 bars_of(buckets, picture.x.low, picture.x.high)};
  double highest = 1;
  for (const auto& bar : bars.points) highest = std::max(highest, bar.y);
  panel.y.high = decade_above(highest * 1.5);
  panel.curves.push_back(std::move(bars));
  constexpr struct {
    const char* key;
    const char* color;
  } kShown[] = {{"p50", plot_color::kGreen}, {"p99", plot_color::kOrange}, {"p99.9", plot_color::kPink}};
  for (const auto& [key, color] : kShown) {
    const auto found = latency.all.percentiles_ns.find(key);
    if (found != latency.all.percentiles_ns.end())
      panel.curves.push_back(mark(key, found->second, color, panel.y.high));
  }
  if (latency.all.max_ns)
    panel.curves.push_back(mark("max", *latency.all.max_ns, plot_color::kRed, panel.y.high));
  if (latency.probe.limit_ns)
    panel.curves.push_back(mark("limit", *latency.probe.limit_ns, plot_color::kBlack, panel.y.high));
  if (latency.all.overflow.value_or(0) > 0) {
    picture.heading.push_back(counted(*latency.all.overflow, "wake-up") +
                              " came later than the histogram reaches: not "
                              "drawn, but for the maximum");
  }
  picture.panels.push_back(std::move(panel));
  return picture;
}

}  // namespace xrunlab
