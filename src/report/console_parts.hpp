// The lines that the summaries of all kinds of run share: heading, loads, warnings, self-checks, verdict.
// Used by console.cpp and jack_text.cpp.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"
#include "xrunlab/report/console.hpp"

namespace xrunlab {

/// Program, kind, date, kernel.
std::string heading_line(const RunData& run);
/// With an empty line behind them; nothing without loads.
std::string loads_lines(const RunData& run);
std::string warning_lines(const RunData& run);
std::string check_lines(const RunData& run);
/// Nothing when the run came to its end.
std::string incomplete_line(const RunData& run);
std::string verdict_lines(const RunData& run, ConsoleStyle style);

}  // namespace xrunlab
