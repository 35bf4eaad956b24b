// Turns a finished run into its verdict by docs/measurement.md: a pure function of the run file's numbers,
// used by the engine at the end of a run and by every reader of run files.
#pragma once

#include "xrunlab/core/error.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Sets verdict, verdict_line and reasons of `run` from its other fields.
void judge(RunData& run);

/// Exit code that the verdict asks for: 0 or 1.
ExitCode exit_code_for(const RunData& run) noexcept;

/// "PASS", "MARGINAL", "FAIL", "NO VERDICT", "THROUGHPUT".
std::string_view to_string(Verdict verdict) noexcept;

}  // namespace xrunlab
