// Pure parts of a JACK run's end: shares of the processors, self-checks, warnings. Used by JackRun on main.
#pragma once

#include <cstdint>
#include <optional>
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

std::int64_t xruns_of_both_kinds(const JackData& jack) noexcept;

/// Clients that failed; that the server has printed fewer `lines` than there were xruns, by more than one and
/// a hundredth. No lines: the server is not ours.
std::vector<std::string> jack_warnings(const JackData& jack, std::optional<std::int64_t> lines);

}  // namespace xrunlab
