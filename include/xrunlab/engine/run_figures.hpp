// The measured half of a run's record: timers, ring, card and throughput. Used by run_record only.
#pragma once

#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/stream_run.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Timers, lateness, slack, windows, xruns, starvations, counters and the window of the verdict.
void record_figures(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                    RunData& run);

/// Ring, I/O and throughput.
void record_throughput(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                       RunData& run);

}  // namespace xrunlab
