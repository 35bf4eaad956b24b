// A record of a run that had been under way before: for other rings than the recorded one, which would else
// read in priming what was read in play. Used by what-if, on the main thread.
#pragma once

#include "xrunlab/engine/replay_script.hpp"

namespace xrunlab {

/// How much of a lead-in rings of up to `ring` frames need, so that all that was read in play is read in
/// play: whole fragments, and where that is not long whole blocks, so that reads are cut as they were. 0
/// where there can be none: of tracks that are looped, and without a ring.
Frames lead_in_frames(const ReplayScript& script, Frames ring);

/// As if each track had begun so many frames earlier, whose reads took the usual time, and all that is in the
/// record had happened so much later. `frames`: as lead_in_frames has it.
ReplayScript with_lead_in(const ReplayScript& script, Frames frames);

}  // namespace xrunlab
