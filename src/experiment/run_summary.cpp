#include "xrunlab/experiment/run_summary.hpp"

#include <algorithm>

#include "figure_rows.hpp"
#include "xrunlab/experiment/run_keys.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

const std::vector<FigureRow>& figure_rows() {
  static const std::vector<FigureRow> rows = [] {
    auto all = stream_figure_rows();
    for (auto* const more : {latency_figure_rows, jack_figure_rows, machine_figure_rows, event_figure_rows}) {
      for (auto& row : more()) all.push_back(std::move(row));
    }
    return all;
  }();
  return rows;
}

/// The longest of its threads: they run beside one another.
std::int64_t length_of_round_ns(const LatencyRound& round, const LatencyProbe& probe) {
  double longest = 0;
  for (const auto& thread : round.threads) {
    const auto interval_ns = thread.interval_ns ? thread.interval_ns : probe.interval_ns;
    if (!interval_ns || !thread.figures.count) continue;
    longest =
        std::max(longest, static_cast<double>(*interval_ns) * static_cast<double>(*thread.figures.count));
  }
  constexpr double kMost = 9e18;
  return static_cast<std::int64_t>(std::min(longest, kMost));
}

/// The time in which something could have gone wrong; 0 when it is not known.
std::int64_t exposure_of(const RunData& run) {
  if (run.kind == "jack") return run.jack ? run.jack->measured_ns : 0;
  if (run.kind != kLatencyKind) return run.window.exposure_ns;
  std::int64_t all = 0;
  for (const auto& round : run.latency.rounds) {
    if (__builtin_add_overflow(all, length_of_round_ns(round, run.latency.probe), &all)) return INT64_MAX;
  }
  return all;
}

/// Xruns of JACK's driver and of its clients may be one and the same, so nothing is added up there.
std::optional<std::int64_t> dropouts_of(const RunData& run) {
  const bool plays = run.kind != kLatencyKind && run.kind != "jack";
  if (!plays || !is_stated(run, "counters.dropouts")) return std::nullopt;
  return run.counters.dropouts;
}

/// A latency that was measured without a limit has passed nothing, nor has a listing without a verdict.
bool was_judged(const RunData& run) {
  return is_stated(run, "verdict") && run.verdict != Verdict::measured;
}

std::string first_of(const std::vector<std::string>& reasons) {
  return reasons.empty() ? "" : reasons.front();
}

std::vector<std::string> partial_rounds_of(const RunData& run) {
  std::vector<std::string> partial;
  const auto& rounds = run.latency.rounds;
  for (std::size_t index = 0; index < rounds.size(); ++index) {
    if (is_whole(rounds[index]) != false) continue;
    partial.push_back("round " + std::to_string(index + 1) + " of " + std::to_string(rounds.size()) +
                      " has " + std::to_string(*rounds[index].figures.count) + " of " +
                      std::to_string(*rounds[index].planned) + " wake-ups");
  }
  return partial;
}

}  // namespace

const std::vector<RunFigure>& run_figures() {
  static const std::vector<RunFigure> figures = [] {
    std::vector<RunFigure> all;
    for (const auto& row : figure_rows()) all.push_back(row.figure);
    return all;
  }();
  return figures;
}

std::optional<std::size_t> find_run_figure(const std::string& name) {
  const auto& figures = run_figures();
  const auto found = std::find_if(figures.begin(), figures.end(), [&name](const RunFigure& figure) {
    return figure.info.name == name || figure.info.key == name;
  });
  if (found == figures.end()) return std::nullopt;
  return static_cast<std::size_t>(found - figures.begin());
}

RunSummary summarise_run(const RunData& run, const std::string& file, const std::string& directory) {
  RunSummary summary{.file = file,
                     .kind = run.kind,
                     .start = run.start,
                     .host = run.system.host,
                     .boot = run.system.boot_id,
                     .complete = run.complete,
                     .fault_injected = run.fault_injected,
                     .paced = run.device.paced,
                     .uses_ring = run.ring.used,
                     .verdict = run.verdict,
                     .reason = run.reasons.empty() ? run.error : run.reasons.front(),
                     .too_easy = first_of(why_no_pass(run)),
                     .imported = run.imported.has_value(),
                     .judged = was_judged(run),
                     .exposure_ns = exposure_of(run),
                     .dropouts = dropouts_of(run),
                     .round_maxima_ns = {},
                     .round_lengths_ns = {},
                     .partial_rounds = partial_rounds_of(run),
                     .facts = facts_of(run, file, directory),
                     .experiment = run.experiment,
                     .figures = {}};
  for (const auto& round : run.latency.rounds) {
    if (!round.figures.max_ns) continue;
    summary.round_maxima_ns.push_back(static_cast<double>(*round.figures.max_ns));
    summary.round_lengths_ns.push_back(static_cast<double>(length_of_round_ns(round, run.latency.probe)));
  }
  for (const auto& row : figure_rows()) {
    const bool is_of_kind = is_figure_of(row.figure.info, run.kind);
    summary.figures.push_back(is_of_kind ? row.of(run) : std::nullopt);
  }
  return summary;
}

}  // namespace xrunlab
