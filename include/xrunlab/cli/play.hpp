// `xrunlab play FILES|DIRS…`: streams a set from disk to a card, times it and reports. Called by main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/cli/play_options.hpp"

namespace xrunlab {

/// Returns the exit code of the process: that of the verdict, of the failed input or card, or 128 + n after
/// signal n. `cmdline` is what was typed, for the run file. Throws Error for what makes the run impossible.
int run_play(const PlayOptions& options, const std::vector<std::string>& cmdline);

}  // namespace xrunlab
