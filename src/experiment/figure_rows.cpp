#include "figure_rows.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

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

constexpr auto kMachine = "play latency";  // of jack the runs have such figures of their own

using MachineRun = const RunData&;

}  // namespace

FigureRow figure_row(const char* kinds, const char* name, const char* label, FigureUnit unit,
                     FigureFunction of) {
  FigureInfo info{.name = name, .key = {}, .label = label, .unit = unit, .kinds = kinds};
  info.key = figure_key(info);
  return {{.info = std::move(info)}, of};
}

FigureRow largest_row(const char* kinds, const char* name, const char* label, FigureFunction of) {
  auto row = figure_row(kinds, name, label, FigureUnit::duration, of);
  row.figure.pooling = Pooling::largest;
  return row;
}

FigureRow count_row(const char* kinds, const char* name, const char* label, FigureFunction of) {
  auto row = figure_row(kinds, name, label, FigureUnit::count, of);
  row.figure.pooling = Pooling::sum;
  row.figure.may_decide = false;
  return row;
}

FigureRow weighted_row(const char* kinds, const char* name, const char* label, FigureUnit unit,
                       FigureFunction of) {
  auto row = figure_row(kinds, name, label, unit, of);
  row.figure.pooling = Pooling::weighted_mean;
  return row;
}

FigureRow more_is_better(FigureRow row) {
  row.figure.better = Better::higher;
  return row;
}

OptionalFigure optional_figure(const std::optional<std::int64_t>& value) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value);
}

OptionalFigure quotient(const std::optional<std::int64_t>& count, double by) {
  if (!count || !(by > 0)) return std::nullopt;
  return static_cast<double>(*count) / by;
}

std::vector<FigureRow> machine_figure_rows() {
  const auto share = FigureUnit::share;
  const auto rate = FigureUnit::per_second;
  return {
      figure_row(kMachine, "interrupts_per_s", "interrupts/s", rate,
                 [](MachineRun run) {
                   return run.machine_usage ? quotient(run.machine_usage->interrupts, machine_seconds(run))
                                            : std::nullopt;
                 }),
      figure_row(kMachine, "switches_per_s", "switches/s", rate,
                 [](MachineRun run) {
                   return run.machine_usage
                              ? quotient(run.machine_usage->context_switches, machine_seconds(run))
                              : std::nullopt;
                 }),
      figure_row(kMachine, "cpu_system", "CPU system", share,
                 [](MachineRun run) { return cpu_share(run, &MachineUsage::system_ns); }),
      figure_row(kMachine, "cpu_user", "CPU user", share, user_share),
      figure_row(kMachine, "cpu_iowait", "CPU iowait", share,
                 [](MachineRun run) { return cpu_share(run, &MachineUsage::iowait_ns); }),
      figure_row(kMachine, "cpu_irq", "CPU irq", share,
                 [](MachineRun run) { return cpu_share(run, &MachineUsage::irq_ns); }),
      figure_row(kMachine, "cpu_softirq", "CPU softirq", share,
                 [](MachineRun run) { return cpu_share(run, &MachineUsage::softirq_ns); }),
      figure_row(kMachine, "cpu_steal", "CPU steal", share,
                 [](MachineRun run) { return cpu_share(run, &MachineUsage::steal_ns); }),
  };
}

}  // namespace xrunlab
