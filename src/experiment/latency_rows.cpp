#include "figure_rows.hpp"
#include "xrunlab/model/latency.hpp"

namespace xrunlab {
namespace {

constexpr auto kWaking = kLatencyKind;

using WakingRun = const RunData&;

OptionalFigure told_percentile(const RunData& run, const char* name) {
  const auto& percentiles = run.latency.all.percentiles_ns;
  const auto found = percentiles.find(name);
  if (found == percentiles.end()) return std::nullopt;
  return static_cast<double>(found->second);
}

FigureRow waking_row(const char* name, const char* label, FigureFunction of) {
  return figure_row(kWaking, name, label, FigureUnit::duration, of);
}

OptionalFigure partial_rounds(const RunData& run) {
  double partial = 0;
  for (const auto& round : run.latency.rounds) {
    if (is_whole(round) == false) ++partial;
  }
  return run.latency.rounds.empty() ? OptionalFigure() : OptionalFigure(partial);
}

}  // namespace

std::vector<FigureRow> latency_figure_rows() {
  auto median_row = waking_row("latency_max_median", "median of maxima",
                               [](WakingRun run) { return median_of_maxima_ns(run.latency); });
  median_row.figure.pooling = Pooling::rounds;
  return {
      count_row(kWaking, "rounds", "rounds",
                [](WakingRun run) {
                  return run.latency.rounds.empty()
                             ? OptionalFigure()
                             : OptionalFigure(static_cast<double>(run.latency.rounds.size()));
                }),
      count_row(kWaking, "partial_rounds", "partial rounds", partial_rounds),
      count_row(kWaking, "wake_ups", "wake-ups",
                [](WakingRun run) { return optional_figure(run.latency.all.count); }),
      count_row(kWaking, "missed", "missed",
                [](WakingRun run) { return optional_figure(run.latency.all.missed); }),
      count_row(kWaking, "over", "over", [](WakingRun run) { return optional_figure(run.latency.all.over); }),
      waking_row("latency_min", "latency min",
                 [](WakingRun run) { return optional_figure(run.latency.all.min_ns); }),
      waking_row("latency_mean", "latency mean", [](WakingRun run) { return run.latency.all.mean_ns; }),
      waking_row("latency_p50", "latency p50", [](WakingRun run) { return told_percentile(run, "p50"); }),
      waking_row("latency_p99", "latency p99", [](WakingRun run) { return told_percentile(run, "p99"); }),
      waking_row("latency_p99.9", "latency p99.9",
                 [](WakingRun run) { return told_percentile(run, "p99.9"); }),
      waking_row("latency_p99.99", "latency p99.99",
                 [](WakingRun run) { return told_percentile(run, "p99.99"); }),
      median_row,
      largest_row(kWaking, "latency_max", "latency max",
                  [](WakingRun run) { return optional_figure(run.latency.all.max_ns); }),
  };
}

}  // namespace xrunlab
