// What `play --dry-run` and `play -v` print: the inputs as found, and the rings and reads as they would be
// granted.
#pragma once

#include <string>

#include "xrunlab/disk/set_spec.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// A line for each input of a run.
std::string inputs_text(const RunData& run);

/// What would be played and how. Plays nothing; throws as run_stream would.
std::string plan_text(const StreamRequest& request);

/// The same for the set that --tracks would write into `directory`. Writes nothing; throws as TemporarySet
/// and run_stream would.
std::string temporary_set_text(const StreamRequest& request, const SetSpec& spec,
                               const std::string& directory);

}  // namespace xrunlab
