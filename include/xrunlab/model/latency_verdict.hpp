// Turns a finished latency run into its verdict: a pure function of the run file's numbers, part of judge().
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Sets verdict, verdict_line and reasons of `run`, whose kind is "latency". NO VERDICT: incomplete, a failed
/// self-check, a dead load, nothing measured. With a limit FAIL where a wake-up was later, PASS where none
/// was. Without one there is nothing to pass: MEASURED.
void judge_latency(RunData& run);

/// "10000 wake-ups every 10 ms": how much was measured, as far as it is known.
std::string wake_ups_text(const RunData& run);

/// A time that somebody has chosen: "10 ms", "488.28 us", without digits that say nothing.
std::string interval_text(std::int64_t ns);

}  // namespace xrunlab
