// All that a run does before it plays, done and taken back: what the run would refuse is refused here, and
// what it would warn of stands in the fallbacks. Nothing is created or played, and the ring takes no memory.
// Called by `play --dry-run` and `sweep` on the main thread.
#pragma once

#include <memory>

#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/stream_request.hpp"

namespace xrunlab {

/// request.record and the simulated card's capture= are to be checked by the caller: they are left out here.
/// Throws as run_stream.
std::unique_ptr<PlaybackParts> rehearse(const StreamRequest& request);

/// The same for a set that has not been written yet; request.files says what it will be. Its files are not
/// opened and there is no I/O engine. Throws as run_stream.
std::unique_ptr<PlaybackParts> rehearse_unwritten(const StreamRequest& request);

}  // namespace xrunlab
