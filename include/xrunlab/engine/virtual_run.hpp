// A replay in virtual time: the reader, the rings, the playback loop, the simulated card and the collector of
// any run, on one thread and a clock that stands still while they work. An hour takes seconds, and every run
// of it yields the same to the byte. Called on the main thread.
#pragma once

#include "xrunlab/engine/stream_run.hpp"

namespace xrunlab {

/// `request`: a replay on the simulated card. A signal ends it as it ends any run. Throws as run_stream, and
/// Error{usage} for what needs real time: another card, a capture, --fault reader-delay, --blame. `listeners`
/// hear as of any run, their intervals in virtual time.
StreamOutcome run_in_virtual_time(const StreamRequest& request, const Signals& signals,
                                  const StreamListeners& listeners = {});

}  // namespace xrunlab
