#include "figure_rows.hpp"
#include "xrunlab/model/jack.hpp"

namespace xrunlab {
namespace {

constexpr auto kJack = "jack";
constexpr std::int64_t kJackP50 = 500'000;
constexpr std::int64_t kJackP999 = 999'000;

using JackRun = const RunData&;

/// Runs of other kinds are never asked.
const JackFigures& figures_of_jack(const RunData& run) {
  static const JackFigures none;
  return run.jack ? run.jack->figures : none;
}

OptionalFigure delay_percentile(const RunData& run, std::int64_t ppm) {
  if (!run.jack || !run.jack->delay) return std::nullopt;
  const auto percentile = run.jack->delay->percentile(ppm);
  if (!percentile) return std::nullopt;
  return static_cast<double>(percentile->value_ns);
}

/// Rates of runs, each by its length, are all events over all of the time.
FigureRow hourly_row(const char* name, const char* label, FigureFunction of) {
  return weighted_row(kJack, name, label, FigureUnit::per_hour, of);
}

FigureRow load_row(const char* name, const char* label, FigureFunction of) {
  return weighted_row(kJack, name, label, FigureUnit::share, of);
}

std::vector<FigureRow> delay_rows() {
  return {
      figure_row(kJack, "jack_delay_p50", "delay p50", FigureUnit::duration,
                 [](JackRun run) { return delay_percentile(run, kJackP50); }),
      figure_row(kJack, "jack_delay_p99.9", "delay p99.9", FigureUnit::duration,
                 [](JackRun run) { return delay_percentile(run, kJackP999); }),
      largest_row(kJack, "jack_delay_max", "delay max",
                  [](JackRun run) { return optional_figure(figures_of_jack(run).delay_max_ns); }),
      largest_row(kJack, "jack_cycle_max", "cycle max",
                  [](JackRun run) { return optional_figure(figures_of_jack(run).cycle_max_ns); }),
      hourly_row("jack_timeouts_per_hour", "timeouts/h",
                 [](JackRun run) { return figures_of_jack(run).timeouts.per_hour; }),
      hourly_row("jack_xruns_per_hour", "xruns/h",
                 [](JackRun run) { return figures_of_jack(run).xruns.per_hour; }),
      hourly_row("jack_driver_late_per_hour", "driver late/h",
                 [](JackRun run) { return figures_of_jack(run).driver_late.per_hour; }),
      hourly_row("jack_over_spare_per_hour", "delays>spare/h",
                 [](JackRun run) { return figures_of_jack(run).over_spare.per_hour; }),
      hourly_row("jack_over_bound_per_hour", "delays>bound/h",
                 [](JackRun run) { return figures_of_jack(run).over_bound.per_hour; }),
  };
}

}  // namespace

std::vector<FigureRow> jack_figure_rows() {
  auto rows = delay_rows();
  rows.push_back(
      load_row("jack_dsp_load", "DSP load", [](JackRun run) { return figures_of_jack(run).dsp_load_share; }));
  rows.push_back(load_row("jack_cpu_system", "CPU system",
                          [](JackRun run) { return figures_of_jack(run).cpu_system_share; }));
  rows.push_back(
      load_row("jack_cpu_user", "CPU user", [](JackRun run) { return figures_of_jack(run).cpu_user_share; }));
  rows.push_back(
      load_row("jack_cpu_nice", "CPU nice", [](JackRun run) { return figures_of_jack(run).cpu_nice_share; }));
  rows.push_back(load_row("jack_cpu_iowait", "CPU iowait",
                          [](JackRun run) { return figures_of_jack(run).cpu_iowait_share; }));
  rows.push_back(
      load_row("jack_cpu_irq", "CPU irq", [](JackRun run) { return figures_of_jack(run).cpu_irq_share; }));
  rows.push_back(load_row("jack_cpu_softirq", "CPU softirq",
                          [](JackRun run) { return figures_of_jack(run).cpu_softirq_share; }));
  rows.push_back(weighted_row(kJack, "jack_interrupts_per_s", "interrupts/s", FigureUnit::per_second,
                              [](JackRun run) { return figures_of_jack(run).interrupts_per_s; }));
  rows.push_back(weighted_row(kJack, "jack_switches_per_s", "switches/s", FigureUnit::per_second,
                              [](JackRun run) { return figures_of_jack(run).context_switches_per_s; }));
  return rows;
}

}  // namespace xrunlab
