// Turns a finished run into its verdict by docs/measurement.md: a pure function of the run file's numbers,
// used by the engine at the end of a run and by every reader of run files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/error.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// A window shorter than this, or than kShortestWindowRings lengths of the ring, proves nothing.
inline constexpr std::int64_t kShortestWindowNs = 10'000'000'000;
inline constexpr std::int64_t kShortestWindowRings = 3;

/// Sets verdict, verdict_line and reasons of `run` from its other fields.
///
/// Order: what makes the figures themselves doubtful (incomplete, a failed self-check, an injected fault, a
/// dead load) leaves no verdict, whatever else was seen. Then what was heard is FAIL, also in a run that had
/// it too easy; only "not sustained" needs a window long enough to be told. What had it too easy otherwise
/// (everything primed, data from the cache, a short window) leaves no verdict; then MARGINAL, then PASS. The
/// reasons list every finding, those of the verdict first; verdict_line names those of the verdict only.
/// Of kind "latency": see judge_latency.
void judge(RunData& run);

/// Why a run like this one could not have passed, whatever happened in it: too short, everything primed, data
/// from the cache. Empty when it could, for unpaced runs and those of other kinds. What its first xrun ended
/// is not too short. Who counts passes must leave such a run out also when it failed.
std::vector<std::string> why_no_pass(const RunData& run);

/// Exit code that the verdict asks for: 0 or 1.
ExitCode exit_code_for(const RunData& run) noexcept;

/// "PASS", "MARGINAL", "FAIL", "NO VERDICT", "THROUGHPUT", "MEASURED".
std::string_view to_string(Verdict verdict) noexcept;

}  // namespace xrunlab
