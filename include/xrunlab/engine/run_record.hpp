// Writes down what a run was and what it yielded: the parts and the end of a run become the run file's
// content, judged. Called by main after the threads have ended (or were given up).
#pragma once

#include <chrono>
#include <string>

#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/stream_run.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Everything but start, end, cmdline and the tool's version.
RunData record_run(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end);

/// The same while it goes on: incomplete, without what only the end of a thread tells (reads, episodes,
/// windows).
RunData record_so_far(const StreamRequest& request, const PlaybackParts& parts);

/// "2026-11-30T12:00:00.123Z".
std::string utc_text(std::chrono::system_clock::time_point time);

}  // namespace xrunlab
