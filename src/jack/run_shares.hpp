// Pure parts of a JACK run's end: shares of the processors, self-checks, warnings. Used by JackRun on main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// CPU shares and rates of `figures`, unrounded, of what was counted over the measured stretch.
void add_processor_shares(const MachineUsage& usage, JackFigures& figures);

/// Clients that hung within the measured stretch.
std::int64_t timeouts_within(const JackData& jack);

/// "cycles_whole": no cycle was overwritten before it was read; "cycles_seen": there was one.
std::vector<SelfCheck> jack_self_checks(const JackData& jack);

/// What the two counts of xruns differ by, when it is more than one and a hundredth; clients that failed.
std::vector<std::string> jack_warnings(const JackData& jack);

}  // namespace xrunlab
