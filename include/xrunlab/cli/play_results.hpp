// What `play` and `replay` say when a run is over, what they keep of it meanwhile, and their exit code.
// Called on the main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/cli/run_results.hpp"
#include "xrunlab/engine/stream_run.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

/// As print_run().
void print_results(const PlayOptions& options, const RunData& run);

/// For a run of hours: puts what there is so far into the run file of `options`, each minute. Nothing when
/// there is none. What cannot be written then is left to the end, which says so.
std::function<void(const RunData&)> keep_run_file(const PlayOptions& options,
                                                  const std::vector<std::string>& cmdline);

/// Of a run that was played: of its verdict, or of what ended it.
ExitCode exit_code_of(const StreamOutcome& outcome, const Signals& signals);

}  // namespace xrunlab
