#include <cmath>
#include <cstdio>

#include "imported_runs.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/model/jack.hpp"

namespace xrunlab {
namespace {

constexpr double kMostOfATable = 1e12;  // no figure of such a table is larger
constexpr std::int64_t kMostEvents = 1'000'000;

/// Reads the figures of one column.
class ColumnReader {
 public:
  ColumnReader(const JackColumn& column, const std::string& source) : column_(column), source_(source) {}

  std::optional<double> number(JackLine line) const {
    const auto found = column_.figures.find(line);
    if (found == column_.figures.end()) return std::nullopt;
    if (found->second >= 0 && found->second < kMostOfATable) return found->second;
    refuse();
  }

  std::optional<std::int64_t> whole(JackLine line) const {
    const auto value = number(line);
    if (!value) return std::nullopt;
    return std::llround(*value);
  }

  std::optional<std::int64_t> microseconds_as_ns(JackLine line) const {
    const auto value = number(line);
    if (!value) return std::nullopt;
    return std::llround(*value * 1000);
  }

  std::optional<double> percent_as_share(JackLine line) const {
    const auto value = number(line);
    if (!value) return std::nullopt;
    return std::round(*value * 1e6) / 1e8;  // 0.144, not 0.14400000000000002
  }

  /// A rate stands for itself: without a count it has no interval.
  JackCount counted_events(JackLine count, JackLine rate, std::int64_t measured_ns) const {
    JackCount events;
    if (const auto events_seen = whole(count)) {
      if (*events_seen > kMostEvents) refuse();
      events = jack_count(*events_seen, measured_ns);
    }
    if (const auto per_hour = number(rate)) events.per_hour = per_hour;
    return events;
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error(ExitCode::input_file, source_ + ": a figure of the table is too large");
  }

  const JackColumn& column_;
  const std::string& source_;
};

JackFigures figures_in(const ColumnReader& column, std::int64_t measured_ns) {
  JackFigures figures;
  figures.timeouts = column.counted_events(JackLine::timeout_count, JackLine::timeout_rate, measured_ns);
  figures.xruns = column.counted_events(JackLine::xrun_count, JackLine::xrun_rate, measured_ns);
  figures.driver_late =
      column.counted_events(JackLine::driver_late_count, JackLine::driver_late_rate, measured_ns);
  figures.over_spare =
      column.counted_events(JackLine::spare_delay_count, JackLine::spare_delay_rate, measured_ns);
  figures.over_bound =
      column.counted_events(JackLine::long_delay_count, JackLine::long_delay_rate, measured_ns);
  figures.delay_max_ns = column.microseconds_as_ns(JackLine::delay_max_us);
  figures.cycle_max_ns = column.microseconds_as_ns(JackLine::cycle_max_us);
  figures.dsp_load_share = column.percent_as_share(JackLine::dsp_load);
  figures.cpu_system_share = column.percent_as_share(JackLine::cpu_system);
  figures.cpu_user_share = column.percent_as_share(JackLine::cpu_user);
  figures.cpu_nice_share = column.percent_as_share(JackLine::cpu_nice);
  figures.cpu_iowait_share = column.percent_as_share(JackLine::cpu_iowait);
  figures.cpu_irq_share = column.percent_as_share(JackLine::cpu_irq);
  figures.cpu_softirq_share = column.percent_as_share(JackLine::cpu_softirq);
  figures.cpu_steal_share = column.percent_as_share(JackLine::cpu_steal);
  figures.interrupts_per_s = column.number(JackLine::interrupt_rate);
  figures.context_switches_per_s = column.number(JackLine::switch_rate);
  return figures;
}

std::vector<std::string> table_lines(const JackFigures& figures) {
  std::vector<std::string> lines;
  for (const auto& row : jack_rows(figures)) {
    if (!row.value) continue;
    char value[40];
    std::snprintf(value, sizeof(value), "%.1f", *row.value);
    lines.push_back(row.label + ": " + value + " " + row.unit);
  }
  return lines;
}

}  // namespace

RunData run_of_jack(const JackTable& table, std::size_t column, const ListingFacts& facts,
                    const std::string& source) {
  ListingFacts known = facts;
  known.insert({{"program", table.of_xrunlab ? "xrunlab" : "jack_test3"}});
  RunData run = run_of_facts("jack", "jack_test3", known, source);
  auto& stated = run.imported->stated;
  const ColumnReader reader(table.columns[column], source);
  auto& jack = run.jack.emplace();
  const auto take = [&](std::optional<std::int64_t> value, const char* path, std::int64_t& member) {
    if (!value) return;
    member = *value;
    stated.emplace(path);
  };
  take(reader.whole(JackLine::clients), "jack.clients", jack.clients);
  take(reader.whole(JackLine::ports), "jack.ports", jack.ports);
  take(reader.whole(JackLine::period_frames), "device.period_frames", run.device.period_frames);
  constexpr double kMostSeconds = 9e9;
  if (const auto seconds = reader.number(JackLine::seconds); seconds && *seconds < kMostSeconds)
    take(std::llround(*seconds * kNsPerSecond), "jack.measured_ns", jack.measured_ns);
  if (table.long_delay_us && *table.long_delay_us > 0 && *table.long_delay_us < INT64_MAX / 1000)
    take(*table.long_delay_us * 1000, "jack.figures.delay_bound_ns", jack.figures.delay_bound_ns);
  const auto delay_bound_ns = jack.figures.delay_bound_ns;
  jack.figures = figures_in(reader, jack.measured_ns);
  jack.figures.delay_bound_ns = delay_bound_ns;
  run.imported->listing = table_lines(jack.figures);
  return run;
}

}  // namespace xrunlab
