// The three timers as the listings of November 2000 showed them, so that old and new figures can be laid side
// by side. Called by main after a run.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Seven lines each for Timer-1 (ring read), Timer-2 (PCM write) and Timer-3 (outside), a blank line between.
/// Integer arithmetic only: the bound is cut to whole microseconds and shown with 8 decimals, durations are
/// cut to 9, never rounded. With injected faults a line above says so.
std::string classic_listing(const RunData& run);

}  // namespace xrunlab
