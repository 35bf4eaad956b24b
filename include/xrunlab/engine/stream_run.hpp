// One run from priming to draining: starts the threads, waits for the end or a signal, and yields the run
// file's content. Called on the main thread.
#pragma once

#include <vector>

#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

/// An input that was given other content while it was played, which ends the run.
struct OverwrittenInput {
  std::size_t track = 0;
  Frames played = 0;  ///< frames that had been taken from it by then, over all passes
};

/// What the threads left behind, beside the parts.
struct StreamEnd {
  PlaybackResult playback;
  bool playback_began = false;
  int signal = 0;  ///< the signal that asked for the end; 0: none
  SchedResult playback_sched;
  std::vector<ThreadData> threads;
  std::optional<MachineUsage> machine_usage;  ///< over priming and playing
  Nanoseconds priming{};
  bool primed_whole = false;
  std::optional<Bytes> device_bytes;  ///< over priming and playing
  bool trace_is_cut = false;          ///< the trace could not be written to its end; a warning says why
  bool thread_hangs = false;          ///< a thread is held by the kernel and could not be joined
  std::string capture_error;          ///< the simulated card's capture is not whole
  std::optional<OverwrittenInput> overwritten;
  std::string forsaken_by;  ///< the accompaniment whose end was that of the run; empty: none
};

struct StreamOutcome {
  RunData run;
  bool trace_is_cut = false;  ///< the trace could not be written to its end; a warning says why
  bool thread_hangs = false;  ///< leave the program without destroying what that thread uses
};

/// Throws Error for what makes the run impossible before it starts. What happens later (an input or the card
/// fails, a signal) ends the run and stands in its record.
StreamOutcome run_stream(const StreamRequest& request, const Signals& signals,
                         const StreamListeners& listeners);

}  // namespace xrunlab
