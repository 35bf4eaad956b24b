#include "xrunlab/report/jack_plot.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plot_parts.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/jack.hpp"

namespace xrunlab {
namespace {

constexpr double kLeastDelay_ms = 0.0001;

/// The seconds of a run as curves over its time.
class JackPanels {
 public:
  explicit JackPanels(const RunData& run) : run_(run), jack_(*run.jack) {
    for (const auto& second : jack_.seconds)
      length_ns_ = std::max(length_ns_, saturated(second.start_ns) + saturated(second.length_ns));
    time_ = time_unit(length_ns_);
  }

  PlotAxis time_axis() const {
    return {.label = std::string("since the measurement began, ") + time_.name, .high = x(length_ns_)};
  }

  PlotPanel times() const {
    PlotPanel panel{.y = {.label = "worst, ms", .scale = AxisScale::log}, .height = 1.4};
    panel.curves.push_back({"cycle", plot_color::kOrange, CurveStyle::steps,
                            points([](const JackSecond& second) { return ms(second.cycle_max_ns); })});
    panel.curves.push_back({"delay", plot_color::kBlue, CurveStyle::steps,
                            points([](const JackSecond& second) { return ms(second.delay_max_ns); })});
    if (panel.curves[0].points.empty() && panel.curves[1].points.empty()) return {};
    const auto bound = [&](const char* name, const char* color, std::int64_t ns) {
      if (ns > 0) panel.curves.push_back(limit(name, color, ns));
    };
    bound("period ", plot_color::kRed, period_ns());
    bound("bound ", plot_color::kPink, jack_.figures.delay_bound_ns);
    double low = INFINITY;
    double high = 0;
    for (auto& curve : panel.curves) {
      for (auto& point : curve.points) {
        point.y = std::max(point.y, kLeastDelay_ms);
        low = std::min(low, point.y);
        high = std::max(high, point.y);
      }
    }
    panel.y.low = std::pow(10, std::floor(std::log10(low)));
    panel.y.high = std::max(high * 1.5, panel.y.low * 10);
    return panel;
  }

  PlotPanel load() const {
    PlotPanel panel{.y = {.label = "DSP load, %", .high = 100}};
    panel.curves.push_back({"DSP load, as the server has it", plot_color::kGreen, CurveStyle::steps,
                            points([](const JackSecond& second) -> std::optional<double> {
                              if (!second.dsp_load_share) return std::nullopt;
                              return std::max(0.0, *second.dsp_load_share * 100);
                            })});
    for (const auto& point : panel.curves[0].points)
      panel.y.high = std::max(panel.y.high, point.y * kAxisRoom);
    return panel;
  }

  PlotPanel xruns() const {
    PlotPanel panel{.y = {.label = "xruns a second", .high = 1}};
    const auto add = [&](const std::string& name, const char* color, std::int64_t JackSecond::*member) {
      std::int64_t sum = 0;
      for (const auto& second : jack_.seconds) sum += std::clamp<std::int64_t>(second.*member, 0, kMostXruns);
      panel.curves.push_back({std::to_string(sum) + " " + name, color, CurveStyle::steps,
                              points([member](const JackSecond& second) -> std::optional<double> {
                                return static_cast<double>(second.*member);
                              })});
    };
    add("of the driver itself", plot_color::kGrey, &JackSecond::driver_late);
    add("client-not-finished", plot_color::kRed, &JackSecond::xruns);
    for (const auto& curve : panel.curves) {
      for (const auto& point : curve.points) panel.y.high = std::max(panel.y.high, point.y * kAxisRoom);
    }
    PlotCurve failed{
        counted(failed_clients(jack_), "failed client"), plot_color::kBlack, CurveStyle::impulses, {}};
    for (const auto& failure : jack_.failures) {
      if (failure.at_ns) failed.points.push_back({x(*failure.at_ns), x(*failure.at_ns), panel.y.high});
    }
    panel.curves.push_back(std::move(failed));
    return panel;
  }

 private:
  static constexpr std::int64_t kMostXruns = std::int64_t{1} << 40;

  static std::optional<double> ms(const std::optional<std::int64_t>& ns) {
    return ns ? std::optional(static_cast<double>(*ns) / 1e6) : std::nullopt;
  }
  static std::int64_t saturated(std::int64_t ns) {
    return std::clamp<std::int64_t>(ns, 0, std::int64_t{366} * 24 * 3600 * kNsPerSecond);
  }
  double x(std::int64_t ns) const { return static_cast<double>(ns) / time_.ns; }
  std::int64_t period_ns() const {
    const auto hz = run_.device.rate_hz;
    if (hz <= 0 || hz > std::int64_t{UINT32_MAX}) return 0;
    return frames_to_duration(run_.device.period_frames, {static_cast<std::uint32_t>(hz)}).count();
  }
  PlotCurve limit(const std::string& name, const char* color, std::int64_t ns) const {
    return {name + short_duration(ns),
            color,
            CurveStyle::limit,
            {{0, x(length_ns_), static_cast<double>(ns) / 1e6}}};
  }
  std::vector<CurvePoint> points(const std::function<std::optional<double>(const JackSecond&)>& value) const {
    std::vector<CurvePoint> found;
    for (const auto& second : jack_.seconds) {
      const double begin = x(saturated(second.start_ns));
      if (const auto known = value(second))
        found.push_back({begin, begin + x(saturated(second.length_ns)), *known});
    }
    return found;
  }

  const RunData& run_;
  const JackData& jack_;
  std::int64_t length_ns_ = 1;
  TimeUnit time_{};
};

}  // namespace

PlotPicture jack_picture(const RunData& run, const std::string& shown) {
  if (!run.jack || run.jack->seconds.empty()) {
    throw Error(ExitCode::input_file, shown + ": there is nothing to be drawn: it holds no seconds");
  }
  const JackData& jack = *run.jack;
  PlotPicture picture;
  picture.heading.push_back("xrunlab jack, " + run.start + ", server " + jack.server + ", " +
                            counted(jack.clients, "client") + " of " + std::to_string(jack.ports) +
                            " in and out, " + jack.topology + ", " + std::to_string(run.device.rate_hz) +
                            " Hz, period " + std::to_string(run.device.period_frames) + ", load " + run.load);
  picture.heading.push_back(run.verdict_line);
  picture.heading.push_back(
      "each step is a second: the longest delay and "
      "cycle use, the load at its end, the sum of xruns");
  const JackPanels panels(run);
  picture.x = panels.time_axis();
  picture.panels = {panels.times(), panels.load(), panels.xruns()};
  return picture;
}

}  // namespace xrunlab
