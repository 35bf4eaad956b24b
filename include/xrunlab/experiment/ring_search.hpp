// Asks of a recorded run what other rings and other cards' buffers would have done to it, and which is the
// smallest ring that does not starve. Sees the run as a function only. Called on the main thread.
#pragma once

#include <functional>
#include <vector>

#include "xrunlab/model/what_if.hpp"

namespace xrunlab {

struct RingRange {
  Frames least = 0;
  Frames most = 0;
};

struct WhatIfPlan {
  WhatIfSizes recorded;
  RingRange rings;
  std::vector<WhatIfSizes> cards;  ///< periods and buffers; their ring is not looked at
  int rows = 8;                    ///< rings tabulated for each card, at the least two
};

/// Plays the record with these sizes; what it was granted may be more.
using WhatIfRun = std::function<WhatIfTrial(const WhatIfSizes&)>;

/// The rings of the table, each about as many times the one before: both ends of the range, and the recorded
/// one where it lies between.
std::vector<Frames> tabulated_rings(const RingRange& rings, Frames recorded, int rows);

/// For each card the table, then bisection between the largest ring that starves and the smallest that does
/// not and is larger, to one block. What a ring larger than one that is safe does is not believed to be
/// worse.
WhatIfTable what_if(const WhatIfPlan& plan, const WhatIfRun& run);

}  // namespace xrunlab
