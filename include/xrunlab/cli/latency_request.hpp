// Turns the options of `latency` into what run_latency is asked for, and refuses what contradicts itself.
#pragma once

#include "xrunlab/cli/latency_options.hpp"
#include "xrunlab/engine/latency_request.hpp"

namespace xrunlab {

/// Throws Error{usage}. Its accompaniment is left empty.
LatencyRequest parse_latency(const LatencyOptions& options);

}  // namespace xrunlab
