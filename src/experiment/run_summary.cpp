#include "xrunlab/experiment/run_summary.hpp"

#include <algorithm>
#include <array>

#include "xrunlab/core/units.hpp"
#include "xrunlab/experiment/run_keys.hpp"

namespace xrunlab {
namespace {

using OptionalFigure = std::optional<double>;

struct FigureRow {
  RunFigure figure;
  OptionalFigure (*of)(const RunData&);
};

OptionalFigure audio_ns(const RunData& run, const std::optional<std::int64_t>& frames) {
  if (!frames || run.device.rate_hz <= 0) return std::nullopt;
  return static_cast<double>(*frames) * kNsPerSecond / static_cast<double>(run.device.rate_hz);
}

OptionalFigure percentile_ns(const HistogramData& histogram, std::int64_t ppm) {
  const auto percentile = histogram.percentile(ppm);
  if (!percentile) return std::nullopt;
  return static_cast<double>(percentile->value_ns);
}

OptionalFigure largest_ns(const HistogramData& histogram) {
  if (histogram.count == 0) return std::nullopt;
  return static_cast<double>(histogram.max_ns);
}

OptionalFigure quotient(const std::optional<std::int64_t>& count, double by) {
  if (!count || !(by > 0)) return std::nullopt;
  return static_cast<double>(*count) / by;
}

double machine_seconds(const RunData& run) {
  return run.machine_usage ? static_cast<double>(run.machine_usage->wall_ns) * 1e-9 : 0;
}

/// Of all CPUs' time. What the kernel does not tell is no part of it.
OptionalFigure cpu_share(const RunData& run, std::optional<std::int64_t> MachineUsage::*kind) {
  if (!run.machine_usage) return std::nullopt;
  const auto& usage = *run.machine_usage;
  double all = 0;
  for (const auto& time : {usage.user_ns, usage.nice_ns, usage.system_ns, usage.idle_ns, usage.iowait_ns,
                           usage.irq_ns, usage.softirq_ns, usage.steal_ns})
    all += static_cast<double>(time.value_or(0));
  return quotient(usage.*kind, all);
}

OptionalFigure user_share(const RunData& run) {
  auto share = cpu_share(run, &MachineUsage::user_ns);
  const auto nice = cpu_share(run, &MachineUsage::nice_ns);
  if (share && nice) *share += *nice;
  return share;
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
  return quotient(run.counters.dropouts, static_cast<double>(run.window.exposure_ns) / 3600e9);
}

std::string figure_key(const FigureInfo& figure) {
  switch (figure.unit) {
    case FigureUnit::duration:
      return figure.name + "_ns";
    case FigureUnit::bytes_per_second:
      return figure.name + "_bytes_per_s";
    case FigureUnit::share:
      return figure.name.ends_with("_share") ? figure.name : figure.name + "_share";
    default:
      return figure.name;
  }
}

constexpr auto kDuration = FigureUnit::duration;
constexpr std::int64_t kP99 = 990'000;
constexpr std::int64_t kP999 = 999'000;

FigureRow row(const char* name, const char* label, FigureUnit unit, OptionalFigure (*of)(const RunData&),
              Better better = Better::lower, Pooling pooling = Pooling::median) {
  FigureInfo info{.name = name, .key = {}, .label = label, .unit = unit};
  info.key = figure_key(info);
  return {{.info = std::move(info), .better = better, .pooling = pooling}, of};
}

FigureRow largest(const char* name, const char* label, OptionalFigure (*of)(const RunData&)) {
  return row(name, label, kDuration, of, Better::lower, Pooling::largest);
}

/// Adds up over a group, so more runs have more of it: it decides nothing.
FigureRow count_row(const char* name, const char* label, OptionalFigure (*of)(const RunData&)) {
  auto counted_row = row(name, label, FigureUnit::count, of, Better::lower, Pooling::sum);
  counted_row.figure.may_decide = false;
  return counted_row;
}

using Run = const RunData&;

OptionalFigure count_figure(std::int64_t count) {
  return static_cast<double>(count);
}

FigureRow pass_row() {
  auto share_row = row("pass_share", "PASS", FigureUnit::share,
                       [](Run run) { return OptionalFigure(run.verdict == Verdict::pass ? 1.0 : 0.0); });
  share_row.figure.pooling = Pooling::mean;
  share_row.figure.may_decide = false;
  return share_row;
}

std::vector<FigureRow> stream_rows() {
  return {
      row("ring_needed", "ring needed", kDuration,
          [](Run run) { return audio_ns(run, run.ring.ring_needed_frames); }),
      row(
          "ring_low_water", "ring low water", kDuration,
          [](Run run) { return audio_ns(run, run.ring.low_water_frames); }, Better::higher),
      row(
          "card_low_water", "card low water", kDuration,
          [](Run run) { return audio_ns(run, run.slack_low_water_frames); }, Better::higher),
      row(
          "headroom", "headroom", FigureUnit::ratio, [](Run run) { return run.throughput.headroom; },
          Better::higher),
      row("ring_read_p99.9", "T1 read p99.9", kDuration,
          [](Run run) { return percentile_ns(run.timers.ring_read.histogram, kP999); }),
      largest("ring_read_max", "T1 read max",
              [](Run run) { return largest_ns(run.timers.ring_read.histogram); }),
      row("pcm_write_p99.9", "T2 write p99.9", kDuration,
          [](Run run) { return percentile_ns(run.timers.pcm_write.histogram, kP999); }),
      largest("pcm_write_max", "T2 write max",
              [](Run run) { return largest_ns(run.timers.pcm_write.histogram); }),
      row("outside_p99.9", "T3 out p99.9", kDuration,
          [](Run run) { return percentile_ns(run.timers.outside.histogram, kP999); }),
      largest("outside_max", "T3 out max", [](Run run) { return largest_ns(run.timers.outside.histogram); }),
      row("cycle_p99.9", "cycle p99.9", kDuration,
          [](Run run) {
            return run.timers.cycle ? percentile_ns(run.timers.cycle->histogram, kP999) : std::nullopt;
          }),
      largest(
          "cycle_max", "cycle max",
          [](Run run) { return run.timers.cycle ? largest_ns(run.timers.cycle->histogram) : std::nullopt; }),
      row("lateness_p99.9", "lateness p99.9", kDuration,
          [](Run run) { return percentile_ns(run.lateness.histogram, kP999); }),
      largest("lateness_max", "lateness max", [](Run run) { return largest_ns(run.lateness.histogram); }),
      row("wake_lateness_p99.9", "wake p99.9", kDuration,
          [](Run run) { return percentile_ns(run.wake_lateness.histogram, kP999); }),
      largest("wake_lateness_max", "wake max",
              [](Run run) { return largest_ns(run.wake_lateness.histogram); }),
      row("io_latency_p99", "disk read p99", kDuration,
          [](Run run) { return percentile_ns(run.io_latency, kP99); }),
      largest("io_latency_max", "disk read max", [](Run run) { return largest_ns(run.io_latency); }),
  };
}

std::vector<FigureRow> machine_rows() {
  const auto share = FigureUnit::share;
  return {
      row(
          "read_rate", "read MB/s", FigureUnit::bytes_per_second,
          [](Run run) {
            return run.throughput.time_ns > 0 ? OptionalFigure(run.throughput.bytes_per_s) : std::nullopt;
          },
          Better::higher),
      row("priming", "priming", kDuration,
          [](Run run) {
            return run.priming_ns > 0 ? OptionalFigure(static_cast<double>(run.priming_ns)) : std::nullopt;
          }),
      row("cpu_per_track", "CPU a track", share, cpu_a_track),
      row("interrupts_per_s", "interrupts/s", FigureUnit::per_second,
          [](Run run) {
            return run.machine_usage ? quotient(run.machine_usage->interrupts, machine_seconds(run))
                                     : std::nullopt;
          }),
      row("switches_per_s", "switches/s", FigureUnit::per_second,
          [](Run run) {
            return run.machine_usage ? quotient(run.machine_usage->context_switches, machine_seconds(run))
                                     : std::nullopt;
          }),
      row("cpu_system", "CPU system", share,
          [](Run run) { return cpu_share(run, &MachineUsage::system_ns); }),
      row("cpu_user", "CPU user", share, user_share),
      row("cpu_iowait", "CPU iowait", share,
          [](Run run) { return cpu_share(run, &MachineUsage::iowait_ns); }),
      row("cpu_irq", "CPU irq", share, [](Run run) { return cpu_share(run, &MachineUsage::irq_ns); }),
      row("cpu_softirq", "CPU softirq", share,
          [](Run run) { return cpu_share(run, &MachineUsage::softirq_ns); }),
      row("cpu_steal", "CPU steal", share, [](Run run) { return cpu_share(run, &MachineUsage::steal_ns); }),
      row("dropouts_per_hour", "dropouts/hour", FigureUnit::per_hour, dropouts_an_hour, Better::lower,
          Pooling::rate),
      count_row("dropouts", "dropouts", [](Run run) { return count_figure(run.counters.dropouts); }),
      count_row("xruns", "xruns", [](Run run) { return count_figure(run.counters.device_xruns); }),
      count_row("starvations", "starvations",
                [](Run run) { return count_figure(run.counters.starvation_episodes); }),
      pass_row(),
  };
}

const std::vector<FigureRow>& figure_rows() {
  static const std::vector<FigureRow> rows = [] {
    auto all = stream_rows();
    for (auto& machine_row : machine_rows()) all.push_back(std::move(machine_row));
    return all;
  }();
  return rows;
}

}  // namespace

const std::vector<RunFigure>& run_figures() {
  static const std::vector<RunFigure> figures = [] {
    std::vector<RunFigure> all;
    for (const auto& figure_row : figure_rows()) all.push_back(figure_row.figure);
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
                     .exposure_ns = run.window.exposure_ns,
                     .dropouts = run.counters.dropouts,
                     .facts = facts_of(run, file, directory),
                     .experiment = run.experiment,
                     .figures = {}};
  for (const auto& figure_row : figure_rows()) summary.figures.push_back(figure_row.of(run));
  return summary;
}

}  // namespace xrunlab
