// The tables of jack_test3 (2004), of the mails that laid them side by side (a row a figure, a column a run)
// and of `xrunlab jack` (one run, behind each rate its count and interval). Used by read_listing; pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/import/listing.hpp"

namespace xrunlab {

enum class JackLine {
  seconds,
  clients,
  ports,
  period_frames,
  runs,
  timeout_count,
  timeout_rate,
  xrun_count,
  xrun_rate,
  driver_late_count,
  driver_late_rate,
  spare_delay_count,
  spare_delay_rate,
  long_delay_count,
  long_delay_rate,
  delay_max_us,
  cycle_max_us,
  dsp_load,
  cpu_system,
  cpu_user,
  cpu_nice,
  cpu_iowait,
  cpu_irq,
  cpu_softirq,
  cpu_steal,
  interrupt_rate,
  switch_rate,
  failed_clients,
};

/// One column. Rates are an hour but for those of interrupts and switches, which are a second; loads are %.
struct JackColumn {
  std::string title;  ///< what stands above it; empty: nothing
  std::map<JackLine, double> figures;
};

struct JackTable {
  std::vector<JackColumn> columns;
  std::optional<std::int64_t> long_delay_us;  ///< what "long" means: (>1000 usecs)
  bool of_xrunlab = false;                    ///< printed by `xrunlab jack`
};

/// The tables in these lines, one below another; other lines are passed over. A row with one figure only,
/// where others have more, holds for all. Throws Error{input_file} for a table whose rows do not fit.
std::vector<JackTable> parse_jack_tables(const std::vector<ListingLine>& lines, const std::string& source);

}  // namespace xrunlab
