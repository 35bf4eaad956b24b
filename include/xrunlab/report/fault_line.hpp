// The mark that every page about a run with injected faults bears, so that nobody takes it for a measurement.
// Used by the reports.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// "INJECTED    faults, so no measurement: read-delay:at=1s,ms=400 (once, at 1.02 s); seed 1", wrapped to 80
/// columns, with its line end; empty for a run without.
std::string fault_line(const RunData& run);

}  // namespace xrunlab
