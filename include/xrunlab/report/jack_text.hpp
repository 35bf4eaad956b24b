// The summary of a run of kind "jack": the table of 2004 with counts and intervals beside the rates,
// percentiles over all cycles, the steps of a ramp, and the verdict. Called by main after a run.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"
#include "xrunlab/report/console.hpp"

namespace xrunlab {

/// At most 80 columns, ASCII but for what programs printed. `run.jack` is there.
std::string jack_summary(const RunData& run, ConsoleStyle style);

}  // namespace xrunlab
