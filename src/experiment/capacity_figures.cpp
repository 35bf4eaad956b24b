#include "xrunlab/experiment/capacity_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

// As the verdict's limits for PASS.
constexpr double kComfortableHeadroom = 1.1;
constexpr double kComfortableUse = 0.8;
// A thread that works this share of the time has no pause to speak of.
constexpr double kBusy = 0.9;

std::string whole_percent(double share) {
  return fixed(share * 100, 0) + " %";
}

/// The edge, and the value that leaves the share that PASS wants.
struct Edges {
  std::optional<double> edge;
  std::optional<double> comfortable;

  /// Fewer tracks decide.
  void lower_to(double tracks, double use) {
    edge = std::min(edge.value_or(HUGE_VAL), tracks);
    comfortable = std::min(comfortable.value_or(HUGE_VAL), tracks * use);
  }
};

/// CPU time of a thread over the time that it was there; 0 when there is no such thread.
double thread_share(const RunData& run, const std::string& name) {
  for (const auto& thread : run.threads) {
    if (thread.name != name || thread.wall_ns <= 0) continue;
    return static_cast<double>(thread.user_ns + thread.system_ns) / static_cast<double>(thread.wall_ns);
  }
  return 0;
}

/// Mean time outside the write over the length of a fragment; of a run that a sound server drove, of a cycle.
double playback_share(const RunData& run) {
  const double fragment_ns = run.device.rate_hz > 0 ? static_cast<double>(run.device.fragment_frames) * 1e9 /
                                                          static_cast<double>(run.device.rate_hz)
                                                    : 0;
  const auto& busy = run.timers.cycle ? *run.timers.cycle : run.timers.outside;
  return fragment_ns > 0 ? busy.histogram.mean_ns() / fragment_ns : 0;
}

Edges edges_by_tracks(const RunData& run) {
  const auto tracks = static_cast<double>(run.inputs.size());
  Edges edges;
  if (const auto& headroom = run.throughput.headroom)
    edges.lower_to(tracks * *headroom, 1 / kComfortableHeadroom);
  // Behind a disk that is too slow any ring runs empty: that says nothing of how much is enough.
  const bool keeps_up = run.throughput.headroom.value_or(1) >= 1;
  if (keeps_up && run.ring.used && run.ring.ring_needed_frames && run.ring.frames > 0 &&
      run.ring.blocks > 0) {
    // Up to two blocks are vacant however few tracks there are; what is beyond them grows with the tracks.
    const double used =
        static_cast<double>(*run.ring.ring_needed_frames) / static_cast<double>(run.ring.frames);
    const double idle = std::min(0.5, 2 / static_cast<double>(run.ring.blocks));
    if (used > idle) edges.lower_to(tracks * (1 - idle) / (used - idle), kComfortableUse);
  }
  for (const double share :
       {playback_share(run), thread_share(run, "reader"), thread_share(run, "decoder")}) {
    if (share > 0) edges.lower_to(tracks / share, kComfortableUse);
  }
  return edges;
}

Edges edges_by_ring(const RunData& run) {
  if (!run.ring.used || !run.ring.ring_needed_frames) return {};
  const auto needed = static_cast<double>(*run.ring.ring_needed_frames);
  return {needed, needed / kComfortableUse};
}

Edges edges_by_fragment(const RunData& run) {
  const std::int64_t spare_frames = run.device.buffer_frames - run.device.fragment_frames;
  if (spare_frames <= 0 || run.device.rate_hz <= 0 || run.lateness.histogram.count == 0) return {};
  const double spare_ns = static_cast<double>(spare_frames) * 1e9 / static_cast<double>(run.device.rate_hz);
  const double edge = static_cast<double>(run.device.fragment_frames) *
                      static_cast<double>(run.lateness.histogram.max_ns) / spare_ns;
  return {edge, edge / kComfortableUse};
}

TrialOutcome outcome_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return TrialOutcome::pass;
    case Verdict::marginal:
      return TrialOutcome::marginal;
    case Verdict::fail:
      return TrialOutcome::fail;
    case Verdict::no_verdict:
    case Verdict::throughput:
    case Verdict::measured:
      break;
  }
  return TrialOutcome::no_verdict;
}

/// The cause to which most of the time of dropouts was put down; empty when there was none.
std::string main_cause(const RunData& run, std::string& detail) {
  std::map<std::string, std::int64_t> lost_ns;
  for (const auto& episode : run.episodes) {
    if (episode.kind != "xrun" && episode.kind != "starvation") continue;
    if (!episode.caused_by) lost_ns[episode.cause] += std::max<std::int64_t>(1, episode.duration_ns);
  }
  const auto most = std::max_element(lost_ns.begin(), lost_ns.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == lost_ns.end()) return {};
  std::int64_t longest = -1;
  for (const auto& episode : run.episodes) {
    if (episode.cause != most->first || episode.duration_ns <= longest) continue;
    longest = episode.duration_ns;
    detail = episode.evidence.detail;
  }
  return most->first;
}

std::string disk_text(const RunData& run, std::optional<double> device_busy) {
  std::string text = "disk gives " + three_digits(run.throughput.bytes_per_s / 1e6) + " MB/s";
  const auto& headroom = run.throughput.headroom;
  if (headroom) text += ", " + fixed(*headroom * 100, 1) + " % of the need";
  if (headroom.value_or(1) >= 1) text += ", but the rings were not all full again";
  if (device_busy)
    text +=
        ", " + run.inputs.front().block_device + " " + whole_percent(std::min(1.0, *device_busy)) + " busy";
  return text;
}

std::string dropouts_text(const RunData& run) {
  std::string text;
  if (run.counters.starvation_episodes > 0) text = counted(run.counters.starvation_episodes, "starvation");
  if (run.counters.device_xruns > 0)
    text += (text.empty() ? "" : ", ") + counted(run.counters.device_xruns, "xrun");
  return text;
}

}  // namespace

TrialView capacity_view(const RunData& run, CapacityBy by) {
  TrialView view;
  view.outcome = outcome_of(run.verdict);
  const Edges edges = by == CapacityBy::tracks ? edges_by_tracks(run)
                      : by == CapacityBy::ring ? edges_by_ring(run)
                                               : edges_by_fragment(run);
  view.edge = edges.edge;
  view.comfortable_edge = edges.comfortable;
  if (view.outcome == TrialOutcome::no_verdict)
    view.reason = run.reasons.empty() ? run.verdict_line : run.reasons.front();
  return view;
}

CapacityLimit capacity_limit(const RunData& run, std::optional<double> device_busy) {
  const double reader = std::max(thread_share(run, "reader"), thread_share(run, "decoder"));
  const double playback = playback_share(run);
  std::string detail;
  const std::string cause = main_cause(run, detail);
  const auto with_dropouts = [&run](const std::string& text) {
    const std::string dropouts = dropouts_text(run);
    return dropouts.empty() ? text : dropouts + ": " + text;
  };
  if (playback > kBusy) {
    return {"playback CPU",
            with_dropouts("reading and mixing take " + whole_percent(playback) + " of a fragment")};
  }
  const bool too_slow = run.throughput.sustained == false || run.throughput.headroom.value_or(1) < 1;
  if (reader > kBusy && (too_slow || cause == "reader" || cause == "decoder")) {
    return {"reader CPU", with_dropouts("the reader is at work " + whole_percent(reader) + " of the time")};
  }
  if (too_slow) return {"disk bandwidth", disk_text(run, device_busy)};
  if (cause == "disk") return {"disk latency", with_dropouts(detail)};
  if (cause == "reader" || cause == "decoder") return {"reader", with_dropouts(detail)};
  if (cause == "card") return {"card", with_dropouts(detail)};
  if (!cause.empty() && cause != "unknown")
    return {"playback scheduling", with_dropouts(cause + ": " + detail)};
  return {"unknown", run.reasons.empty() ? run.verdict_line : run.reasons.front()};
}

}  // namespace xrunlab
