#include "xrunlab/report/jack_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <vector>

#include "console_causes.hpp"
#include "console_parts.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kRowLabelColumns = 30;

std::string graph_line(std::string_view label, std::string_view text) {
  return labelled(label, kSummaryIndent, text);
}

std::string server_line(const RunData& run) {
  const JackData& jack = *run.jack;
  std::string text = jack.server == "running" ? "running server '" + jack.server_name + "'"
                                              : "jackd of its own, " + jack.server + " driver";
  text += fmt::format(", {} frames at {} Hz ({})", run.device.period_frames, run.device.rate_hz,
                      short_duration(run.bound_ns));
  return graph_line("server", text + ", " + run.rt.policy);
}

std::string clients_line(const RunData& run) {
  const JackData& jack = *run.jack;
  std::string text = counted(jack.clients, "client") + " with " + counted(jack.ports, "port") +
                     " in and out, " + jack.topology;
  if (jack.burn_share > 0) text += ", each works " + three_digits(jack.burn_share * 100) + " % of a period";
  text += ", load: " + run.load;
  return graph_line("graph", text) +
         graph_line("measured", spoken_duration(jack.measured_ns) + ", " + counted(jack.cycles, "cycle"));
}

/// "XRUN Rate . . . . . . . . . :      2.2 /hour", as the table looked; counts and interval behind it.
std::string figure_row(std::string_view label, const std::string& value, std::string_view unit,
                       const std::string& remark) {
  std::string dotted(label);
  dotted += ' ';
  while (dotted.size() < kRowLabelColumns) dotted += dotted.size() % 2 == 0 ? '.' : ' ';
  std::string row = fmt::format("{}: {:>9} {:<6}", dotted, value, unit);
  if (!remark.empty()) row += fmt::format("  {}", remark);
  return row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
}

std::string number_text(const std::optional<double>& value) {
  return value ? fixed(*value, 1) : "-";
}

std::string count_remark(const JackCount& count) {
  if (!count.count) return {};
  std::string text = fmt::format("{:>7}", compact_count(*count.count, 7));
  if (count.per_hour_low && count.per_hour_high) {
    text += "  " + three_digits(*count.per_hour_low) + " to " + three_digits(*count.per_hour_high);
  }
  return text;
}

std::string figures_table(const JackFigures& figures, std::int64_t failed) {
  const std::vector<JackRow> rows = jack_rows(figures);
  const JackCount* const counts[] = {&figures.timeouts, &figures.xruns, &figures.over_spare,
                                     &figures.over_bound};
  std::string text =
      fmt::format("{:<{}}  {:>9} {:<6}  {:>7}  {}\n", "", kRowLabelColumns, "", "", "count", "95 %");
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const JackRow& row = rows[index];
    const std::string remark = index < std::size(counts) ? count_remark(*counts[index]) : "";
    text += figure_row(row.label, number_text(row.value), row.unit, remark);
    if (index == 1) {
      text += figure_row("Driver Late Rate", number_text(figures.driver_late.per_hour), "/hour",
                         count_remark(figures.driver_late));
    }
  }
  std::optional<double> steal;
  if (figures.cpu_steal_share) steal = *figures.cpu_steal_share * 100;
  return text + figure_row("Average CPU Steal Load", number_text(steal), "%", "") +
         figure_row("Failed Clients", std::to_string(failed), "", "");
}

std::string cycle_percentile(const HistogramData& histogram, std::int64_t ppm) {
  const auto percentile = histogram.percentile(ppm);
  if (!percentile) return "-";
  return (percentile->few_above ? "~" : "") + short_duration(percentile->value_ns);
}

std::string cycle_row(std::string_view name, const std::optional<HistogramData>& histogram) {
  if (!histogram || histogram->count == 0) return {};
  return fmt::format("{:<18}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", name, compact_count(histogram->count, 8),
                     short_duration(static_cast<std::int64_t>(histogram->mean_ns())),
                     cycle_percentile(*histogram, 500'000), cycle_percentile(*histogram, 990'000),
                     cycle_percentile(*histogram, 999'000), short_duration(histogram->max_ns));
}

std::string cycles_table(const RunData& run) {
  const JackData& jack = *run.jack;
  std::string text = fmt::format("{:<18}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "all cycles", "count", "mean",
                                 "p50", "p99", "p99.9", "max");
  text += cycle_row("delay", jack.delay) + cycle_row("interval excess", jack.interval_excess) +
          cycle_row("cycle use", jack.cycle) + cycle_row("delay from wake-up", jack.wake_delay) +
          cycle_row("cycle from wake-up", jack.wake_cycle);
  text += "  period " + short_duration(run.bound_ns);
  if (jack.spare_least_ns) text += ", least spare " + short_duration(*jack.spare_least_ns);
  text += "; ~ fewer than ten above, - too few\n";
  if (jack.unsettled_cycles > 0) {
    text += labelled("", 2,
                     "the server's clock, from which delay and cycle use are counted, was off in " +
                         counted(jack.unsettled_cycles, "cycle") +
                         ", as after an xrun: the last two rows do without it");
  }
  return text + "\n";
}

std::string optional_time(const std::optional<std::int64_t>& ns) {
  return ns ? short_duration(*ns) : "-";
}

std::string ramp_table(const JackData& jack) {
  if (jack.ramp.empty()) return {};
  std::string text = fmt::format("{:<10}{:>8}{:>9}{:>11}{:>11}{:>8}{:>13}\n", "clients", "cycles", "DSP %",
                                 "delay max", "cycle max", "xruns", "driver late");
  for (const auto& step : jack.ramp) {
    std::optional<double> load;
    if (step.dsp_load_share) load = *step.dsp_load_share * 100;
    text += fmt::format("{:>7}{:>11}{:>9}{:>11}{:>11}{:>8}{:>13}\n", step.clients,
                        compact_count(step.cycles, 8), number_text(load), optional_time(step.delay_max_ns),
                        optional_time(step.cycle_max_ns), step.xruns, step.driver_late);
  }
  return text + "\n";
}

}  // namespace

std::string jack_summary(const RunData& run, ConsoleStyle style) {
  const JackData& jack = *run.jack;
  std::string text = heading_line(run) + server_line(run) + clients_line(run) + "\n";
  if (jack.measured_ns > 0) {
    text += figures_table(jack.figures, failed_clients(jack)) + "\n" + cycles_table(run) + ramp_table(jack);
  }
  return text + loads_lines(run) + warning_lines(run) + check_lines(run) + incomplete_line(run) + "\n" +
         verdict_lines(run, style);
}

}  // namespace xrunlab
