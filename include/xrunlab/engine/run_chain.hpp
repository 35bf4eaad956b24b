// What a trace must say of a run besides its events, so that the run can be played again. Called by main in
// set-up.
#pragma once

#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/timing/trace_chain.hpp"

namespace xrunlab {

/// After the rings were planned and the card was opened.
TraceChain chain_of(const StreamRequest& request, const PlaybackParts& parts);

}  // namespace xrunlab
