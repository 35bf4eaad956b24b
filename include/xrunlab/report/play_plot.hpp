// The picture of a play run or its replay: the three timers against the bound, what was left in the ring and
// in the card, xruns and starvations, over time. Called by main for `xrunlab plot`.
#pragma once

#include "xrunlab/report/play_timeline.hpp"
#include "xrunlab/report/plot_picture.hpp"

namespace xrunlab {

/// A panel each for timers, ring and card, the latter two only where the run had one. `timeline`: of the same
/// run. Throws Error{input_file} beginning with `shown` when there is nothing to be drawn.
PlotPicture play_picture(const RunData& run, const PlayTimeline& timeline, const std::string& shown);

}  // namespace xrunlab
