// The measured half of a run's record: timers, ring, card and throughput. Used by run_record, and by set-up
// for how much there will be of it.
#pragma once

#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/stream_run.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// time_ns, bytes_per_s and realtime_factor from bytes_read and the time of `priming`, each over the stretch
/// that docs/measurement.md names. Leaves them as they are when nothing was written.
void record_speed(const PlaybackResult& playback, Pacing pacing, SampleRate rate, Nanoseconds priming,
                  ThroughputData& throughput);

/// How many windows of the recorder the run will have, as far as it is known beforehand.
std::size_t expected_windows(const StreamRequest& request, SampleRate rate);

/// Timers, lateness, slack and those counters that the playback thread keeps. Thread: any, also while it
/// plays.
void record_counts(const PlaybackRecorder& recorder, RunData& run);

/// Timers, lateness, slack, windows, xruns, starvations, counters and the window of the verdict.
void record_figures(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                    RunData& run);

/// Ring, I/O and throughput, record_speed included.
void record_throughput(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                       RunData& run);

}  // namespace xrunlab
