#include "figure_rows.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {
namespace {

constexpr auto kStream = "play";
constexpr std::int64_t kP99 = 990'000;
constexpr std::int64_t kP999 = 999'000;

using StreamRun = const RunData&;

OptionalFigure audio_ns(const RunData& run, const std::optional<std::int64_t>& frames) {
  if (!frames || run.device.rate_hz <= 0) return std::nullopt;
  return static_cast<double>(*frames) * kNsPerSecond / static_cast<double>(run.device.rate_hz);
}

/// A listing of old has a count and a maximum, but no buckets.
OptionalFigure percentile_ns(const HistogramData& histogram, std::int64_t ppm) {
  if (histogram.buckets.empty() && histogram.overflow == 0) return std::nullopt;
  const auto percentile = histogram.percentile(ppm);
  if (!percentile) return std::nullopt;
  return static_cast<double>(percentile->value_ns);
}

OptionalFigure largest_ns(const HistogramData& histogram) {
  if (histogram.count == 0) return std::nullopt;
  return static_cast<double>(histogram.max_ns);
}

OptionalFigure mean_ns(const HistogramData& histogram) {
  if (histogram.count == 0) return std::nullopt;
  return histogram.mean_ns();
}

/// Of one CPU, all threads of the run together, for each track.
OptionalFigure cpu_a_track(const RunData& run) {
  if (run.inputs.empty() || run.threads.empty()) return std::nullopt;
  double share = 0;
  for (const auto& thread : run.threads) {
    if (thread.wall_ns > 0)
      share += static_cast<double>(thread.user_ns + thread.system_ns) / static_cast<double>(thread.wall_ns);
  }
  return share / static_cast<double>(run.inputs.size());
}

OptionalFigure dropouts_an_hour(const RunData& run) {
  if (!is_stated(run, "counters.dropouts")) return std::nullopt;
  return quotient(run.counters.dropouts, static_cast<double>(run.window.exposure_ns) / 3600e9);
}

OptionalFigure stated_count(const RunData& run, const char* path, std::int64_t count) {
  if (!is_stated(run, path)) return std::nullopt;
  return static_cast<double>(count);
}

FigureRow percentile_row(const char* name, const char* label, FigureFunction of) {
  return figure_row(kStream, name, label, FigureUnit::duration, of);
}

std::vector<FigureRow> timer_rows() {
  return {
      percentile_row("ring_read_mean", "T1 read mean",
                     [](StreamRun run) { return mean_ns(run.timers.ring_read.histogram); }),
      percentile_row("ring_read_p99.9", "T1 read p99.9",
                     [](StreamRun run) { return percentile_ns(run.timers.ring_read.histogram, kP999); }),
      largest_row(kStream, "ring_read_max", "T1 read max",
                  [](StreamRun run) { return largest_ns(run.timers.ring_read.histogram); }),
      percentile_row("pcm_write_mean", "T2 write mean",
                     [](StreamRun run) { return mean_ns(run.timers.pcm_write.histogram); }),
      percentile_row("pcm_write_p99.9", "T2 write p99.9",
                     [](StreamRun run) { return percentile_ns(run.timers.pcm_write.histogram, kP999); }),
      largest_row(kStream, "pcm_write_max", "T2 write max",
                  [](StreamRun run) { return largest_ns(run.timers.pcm_write.histogram); }),
      percentile_row("outside_mean", "T3 out mean",
                     [](StreamRun run) { return mean_ns(run.timers.outside.histogram); }),
      percentile_row("outside_p99.9", "T3 out p99.9",
                     [](StreamRun run) { return percentile_ns(run.timers.outside.histogram, kP999); }),
      largest_row(kStream, "outside_max", "T3 out max",
                  [](StreamRun run) { return largest_ns(run.timers.outside.histogram); }),
      percentile_row("cycle_p99.9", "cycle p99.9",
                     [](StreamRun run) {
                       return run.timers.cycle ? percentile_ns(run.timers.cycle->histogram, kP999)
                                               : std::nullopt;
                     }),
      largest_row(kStream, "cycle_max", "cycle max",
                  [](StreamRun run) {
                    return run.timers.cycle ? largest_ns(run.timers.cycle->histogram) : std::nullopt;
                  }),
      percentile_row("lateness_p99.9", "lateness p99.9",
                     [](StreamRun run) { return percentile_ns(run.lateness.histogram, kP999); }),
      largest_row(kStream, "lateness_max", "lateness max",
                  [](StreamRun run) { return largest_ns(run.lateness.histogram); }),
      percentile_row("wake_lateness_p99.9", "wake p99.9",
                     [](StreamRun run) { return percentile_ns(run.wake_lateness.histogram, kP999); }),
      largest_row(kStream, "wake_lateness_max", "wake max",
                  [](StreamRun run) { return largest_ns(run.wake_lateness.histogram); }),
      percentile_row("io_latency_p99", "disk read p99",
                     [](StreamRun run) { return percentile_ns(run.io_latency, kP99); }),
      largest_row(kStream, "io_latency_max", "disk read max",
                  [](StreamRun run) { return largest_ns(run.io_latency); }),
  };
}

std::vector<FigureRow> over_rows() {
  return {
      count_row(kStream, "ring_read_over", "T1 read over",
                [](StreamRun run) {
                  return stated_count(run, "timers.ring_read.over", run.timers.ring_read.over);
                }),
      count_row(kStream, "pcm_write_over", "T2 write over",
                [](StreamRun run) {
                  return stated_count(run, "timers.pcm_write.over", run.timers.pcm_write.over);
                }),
      count_row(
          kStream, "outside_over", "T3 out over",
          [](StreamRun run) { return stated_count(run, "timers.outside.over", run.timers.outside.over); }),
  };
}

std::vector<FigureRow> reserve_rows() {
  const auto duration = FigureUnit::duration;
  return {
      figure_row(kStream, "ring_needed", "ring needed", duration,
                 [](StreamRun run) { return audio_ns(run, run.ring.ring_needed_frames); }),
      more_is_better(figure_row(kStream, "ring_low_water", "ring low water", duration,
                                [](StreamRun run) { return audio_ns(run, run.ring.low_water_frames); })),
      more_is_better(figure_row(kStream, "card_low_water", "card low water", duration,
                                [](StreamRun run) { return audio_ns(run, run.slack_low_water_frames); })),
      more_is_better(figure_row(kStream, "headroom", "headroom", FigureUnit::ratio,
                                [](StreamRun run) { return run.throughput.headroom; })),
  };
}

std::vector<FigureRow> reading_rows() {
  return {
      more_is_better(figure_row(kStream, "read_rate", "read MB/s", FigureUnit::bytes_per_second,
                                [](StreamRun run) {
                                  return run.throughput.time_ns > 0
                                             ? OptionalFigure(run.throughput.bytes_per_s)
                                             : std::nullopt;
                                })),
      figure_row(kStream, "priming", "priming", FigureUnit::duration,
                 [](StreamRun run) {
                   return run.priming_ns > 0 ? OptionalFigure(static_cast<double>(run.priming_ns))
                                             : std::nullopt;
                 }),
      figure_row(kStream, "cpu_per_track", "CPU a track", FigureUnit::share, cpu_a_track),
  };
}

}  // namespace

std::vector<FigureRow> stream_figure_rows() {
  auto rows = reserve_rows();
  for (auto& row : timer_rows()) rows.push_back(std::move(row));
  for (auto* const more : {over_rows, reading_rows}) {
    for (auto& row : more()) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<FigureRow> event_figure_rows() {
  auto rate_row =
      figure_row(kStream, "dropouts_per_hour", "dropouts/hour", FigureUnit::per_hour, dropouts_an_hour);
  rate_row.figure.pooling = Pooling::rate;
  auto pass_row = figure_row(kStream, "pass_share", "PASS", FigureUnit::share, [](StreamRun run) {
    return stated_count(run, "verdict", run.verdict == Verdict::pass ? 1 : 0);
  });
  pass_row.figure.pooling = Pooling::mean;
  pass_row.figure.may_decide = false;
  return {
      rate_row,
      count_row(kStream, "dropouts", "dropouts",
                [](StreamRun run) { return stated_count(run, "counters.dropouts", run.counters.dropouts); }),
      count_row(kStream, "xruns", "xruns",
                [](StreamRun run) {
                  return stated_count(run, "counters.device_xruns", run.counters.device_xruns);
                }),
      count_row(kStream, "starvations", "starvations",
                [](StreamRun run) {
                  return stated_count(run, "counters.starvation_episodes", run.counters.starvation_episodes);
                }),
      pass_row,
  };
}

}  // namespace xrunlab
