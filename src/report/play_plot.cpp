#include "xrunlab/report/play_plot.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plot_parts.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

// Of the whole picture: a mark that is shorter could not be seen.
constexpr double kShortestMark = 0.002;
constexpr double kLeastTimer_ms = 0.001;

/// What of a run is drawn, over time.
class PlayPanels {
 public:
  PlayPanels(const RunData& run, const PlayTimeline& timeline)
      : run_(run),
        timeline_(timeline),
        length_ns_(std::max<std::int64_t>(1, timeline.end_ns)),
        time_(time_unit(length_ns_)) {}

  PlotAxis time_axis() const {
    const bool paced = run_.device.paced;
    return {.label = std::string("since the ") + (paced ? "card started" : "first write") + ", " + time_.name,
            .low = 0,
            .high = x(length_ns_)};
  }

  PlotPanel timers() const {
    PlotPanel panel{.y = {.label = "timers, ms", .scale = AxisScale::log}, .height = 1.3};
    const auto add = [&](const char* title, const char* color, auto TimelineSpan::*member) {
      panel.curves.push_back({title, color, CurveStyle::steps,
                              points([member](const TimelineSpan& span) { return span.*member; }, 1e6)});
      for (auto& point : panel.curves.back().points) point.y = std::max(point.y, kLeastTimer_ms);
    };
    add("cycle", plot_color::kOrange, &TimelineSpan::cycle_ns);
    add("T3 outside", plot_color::kOrange, &TimelineSpan::outside_ns);
    add("T2 write", plot_color::kGrey, &TimelineSpan::pcm_write_ns);
    add("T1 read", plot_color::kBlue, &TimelineSpan::ring_read_ns);
    const double bound = static_cast<double>(run_.bound_ns) / 1e6;
    double low = bound;
    double high = bound;
    for (const auto& curve : panel.curves) {
      for (const auto& point : curve.points) {
        low = std::min(low, point.y);
        high = std::max(high, point.y);
      }
    }
    panel.curves.push_back(limit("bound " + short_duration(run_.bound_ns), plot_color::kRed, bound));
    panel.y.low = std::pow(10, std::floor(std::log10(std::max(low, kLeastTimer_ms))));
    panel.y.high = std::max(high * 1.5, panel.y.low * 10);
    return panel;
  }

  PlotPanel ring() const {
    return left_over(
        {"ring left", "ring", run_.ring.frames, run_.ring.low_water_frames},
        [](const TimelineSpan& span) { return span.ring_left_frames; }, starvation_marks());
  }

  /// Nobody knows how much the card has: xruns are all that the server tells.
  PlotPanel server() const {
    PlotPanel panel{.y = {.label = "xruns", .scale = AxisScale::bare}, .height = 0.3};
    panel.curves.push_back(xrun_marks());
    return panel;
  }

  PlotPanel card() const {
    return left_over(
        {"card left", "at the most", run_.device.buffer_frames - run_.device.fragment_frames,
         run_.slack_low_water_frames},
        [](const TimelineSpan& span) { return span.slack_left_frames; }, xrun_marks());
  }

 private:
  using Value = std::function<std::optional<std::int64_t>(const TimelineSpan&)>;

  struct Store {
    const char* label;
    const char* whole;
    std::int64_t frames;
    std::optional<std::int64_t> low_water;
  };

  double x(std::int64_t ns) const { return static_cast<double>(ns) / time_.ns; }
  std::int64_t audio_ns(std::int64_t frames) const {
    return run_.device.rate_hz <= 0 || run_.device.rate_hz > std::int64_t{UINT32_MAX}
               ? 0
               : frames_to_duration(frames, {static_cast<std::uint32_t>(run_.device.rate_hz)}).count();
  }

  std::vector<CurvePoint> points(const Value& value, double unit) const {
    std::vector<CurvePoint> found;
    for (const auto& span : timeline_.spans) {
      if (const auto known = value(span))
        found.push_back({x(span.start_ns), x(span.end_ns), static_cast<double>(*known) / unit});
    }
    return found;
  }

  PlotCurve limit(const std::string& title, const char* color, double y) const {
    return {title, color, CurveStyle::limit, {{0, x(length_ns_), y}}};
  }

  /// What was left in a store over time, between nothing and all of it.
  PlotPanel left_over(const Store& store, const Value& value, PlotCurve marks) const {
    const std::int64_t whole_ns = audio_ns(store.frames);
    const TimeUnit unit = time_unit(whole_ns);
    const double rate = static_cast<double>(std::max<std::int64_t>(1, run_.device.rate_hz));
    const double whole = static_cast<double>(whole_ns) / unit.ns;
    PlotPanel panel{.y = {.label = std::string(store.label) + ", " + unit.name, .high = whole * kAxisRoom}};
    auto left = points(value, rate * unit.ns / 1e9);
    if (left.empty() || whole <= 0) return panel;
    for (const auto& point : left) panel.y.high = std::max(panel.y.high, point.y * kAxisRoom);
    panel.curves.push_back(std::move(marks));
    panel.curves.push_back({"least left", plot_color::kBlue, CurveStyle::steps, std::move(left)});
    panel.curves.push_back(
        limit(std::string(store.whole) + " " + short_duration(whole_ns), plot_color::kGrey, whole));
    if (store.low_water) {
      const std::int64_t low_ns = audio_ns(*store.low_water);
      panel.curves.push_back(limit("low water " + short_duration(low_ns), plot_color::kGreen,
                                   static_cast<double>(low_ns) / unit.ns));
    }
    return panel;
  }

  PlotCurve starvation_marks() const {
    PlotCurve curve{
        counted(run_.counters.starvation_episodes, "starvation"), plot_color::kPink, CurveStyle::bands, {}};
    for (const auto& episode : run_.starvations)
      curve.points.push_back(shown_mark(episode.at_ns, episode.span_ns));
    return curve;
  }

  PlotCurve xrun_marks() const {
    PlotCurve curve{counted(run_.counters.device_xruns, "xrun"), plot_color::kRed, CurveStyle::bands, {}};
    for (const auto& xrun : run_.xruns)
      curve.points.push_back(shown_mark(xrun.at_ns, xrun.dry_ns.value_or(0)));
    return curve;
  }

  /// No mark is too short to be seen.
  CurvePoint shown_mark(std::int64_t at_ns, std::int64_t length_ns) const {
    const double shortest = x(length_ns_) * kShortestMark;
    return {x(at_ns), x(at_ns) + std::max(shortest, x(length_ns)), 0};
  }

  const RunData& run_;
  const PlayTimeline& timeline_;
  std::int64_t length_ns_;
  TimeUnit time_;
};

/// The worst episode, and what it was put down to.
std::string worst_text(const RunData& run) {
  const EpisodeData* worst = nullptr;
  for (const auto& episode : run.episodes) {
    if (worst == nullptr || episode.duration_ns > worst->duration_ns) worst = &episode;
  }
  if (worst == nullptr) return {};
  return "; the worst: " + worst->kind + " of " + short_duration(worst->duration_ns) + " at " +
         short_duration(worst->start_ns) + ", cause: " + worst->cause;
}

std::string injected_text(const RunData& run) {
  std::string text = "INJECTED faults, so no measurement";
  for (std::size_t index = 0; index < run.faults.size(); ++index)
    text += (index == 0 ? ": " : ", ") + run.faults[index].spec;
  return text;
}

}  // namespace

PlotPicture play_picture(const RunData& run, const PlayTimeline& timeline, const std::string& shown) {
  PlotPicture picture;
  if (timeline.spans.empty() || timeline.end_ns <= 0) {
    throw Error(ExitCode::input_file,
                shown + ": there is nothing to be drawn: the run ended before the card started");
  }
  picture.heading.push_back("xrunlab " + run.kind + ", " + run.start + ", " + run.device.name + ", " +
                            std::to_string(run.device.rate_hz) + " Hz, fragment " +
                            std::to_string(run.device.fragment_frames) + ", load " + run.load);
  picture.heading.push_back(run.verdict_line);
  if (run.fault_injected) picture.heading.push_back(injected_text(run));
  picture.heading.push_back("each step is the worst of " + timeline.resolution + worst_text(run));
  if (!timeline.lacks.empty()) picture.heading.push_back("the record is not whole: " + timeline.lacks);
  const PlayPanels panels(run, timeline);
  picture.x = panels.time_axis();
  picture.panels.push_back(panels.timers());
  if (run.ring.used) picture.panels.push_back(panels.ring());
  if (server_driven(run)) {
    picture.panels.push_back(panels.server());
  } else if (run.device.paced) {
    picture.panels.push_back(panels.card());
  }
  return picture;
}

}  // namespace xrunlab
