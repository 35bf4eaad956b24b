// What `play` and `replay` say when a run is over: the summary, the run file, the exit code. Called on the
// main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/engine/stream_run.hpp"
#include "xrunlab/platform/signals.hpp"
#include "xrunlab/report/console.hpp"

namespace xrunlab {

ToolInfo this_program();

/// Colour where stdout is a terminal that wants it.
ConsoleStyle stdout_style();

/// On stdout what was asked for, on stderr the rest, and the run file. Throws Error{system} when one cannot
/// be written.
void print_results(const PlayOptions& options, const RunData& run);

/// For a run of hours: puts what there is so far into the run file of `options`, each minute. Nothing when
/// there is none. What cannot be written then is left to the end, which says so.
std::function<void(const RunData&)> keep_run_file(const PlayOptions& options,
                                                  const std::vector<std::string>& cmdline);

/// Of a run that was played: of its verdict, or of what ended it.
ExitCode exit_code_of(const StreamOutcome& outcome, const Signals& signals);

}  // namespace xrunlab
