// What a run file tells a capacity search: where by its figures the edge lies, and, when it failed, which
// resource was at its end. Pure; used by `xrunlab capacity` for every trial.
#pragma once

#include <optional>

#include "xrunlab/experiment/capacity_search.hpp"
#include "xrunlab/model/capacity.hpp"

namespace xrunlab {

/// The run as the search sees it. Edges, by tracks: the tracks at which the disk's headroom would be 1, the
/// ring used up, or the playback or the reader thread at work without a pause, whichever is least; by ring:
/// ring_needed; by fragment: the fragment whose card buffer, as many fragments long, would just have
/// outlasted the greatest lateness. Frames by ring and by fragment.
TrialView capacity_view(const RunData& run, CapacityBy by);

/// Why a failed run failed. `device_busy`: share of the run in which the block device had something to do;
/// absent where it is not known.
CapacityLimit capacity_limit(const RunData& run, std::optional<double> device_busy);

}  // namespace xrunlab
