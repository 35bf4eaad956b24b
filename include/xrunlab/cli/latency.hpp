// `xrunlab latency`: measures how late real-time threads are woken. Called by main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/cli/latency_options.hpp"

namespace xrunlab {

/// Returns the exit code: of the verdict, of what ended the run, or 128 + n. Throws Error.
int run_latency_command(const LatencyOptions& options, const std::vector<std::string>& cmdline);

}  // namespace xrunlab
