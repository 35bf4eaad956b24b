#include "xrunlab/experiment/ring_search.hpp"

#include <algorithm>
#include <cmath>

namespace xrunlab {
namespace {

/// Between a ring that starves and one that does not: the smallest granted one that does not.
WhatIfTrial bisect_rings(WhatIfTrial starving, WhatIfTrial safe, const WhatIfRun& run) {
  while (safe.granted.ring - starving.granted.ring > std::max<Frames>(1, safe.block_frames)) {
    WhatIfSizes sizes = safe.granted;
    sizes.ring = starving.granted.ring + (safe.granted.ring - starving.granted.ring) / 2;
    const WhatIfTrial middle = run(sizes);
    // Rounded up to one of the two: there is none between them that can be asked for.
    if (middle.granted.ring >= safe.granted.ring || middle.granted.ring <= starving.granted.ring) break;
    (middle.starvations > 0 ? starving : safe) = middle;
  }
  return safe;
}

SafeRing smallest_safe(const WhatIfSizes& card, const std::vector<WhatIfTrial>& trials,
                       const WhatIfRun& run) {
  // What was granted: a card has two periods at the least.
  const WhatIfSizes& had = trials.empty() ? card : trials.front().granted;
  SafeRing found{.period = had.period, .buffer = had.buffer, .smallest = {}};
  const auto last_starving = std::find_if(trials.rbegin(), trials.rend(),
                                          [](const WhatIfTrial& trial) { return trial.starvations > 0; });
  if (last_starving == trials.rbegin() && !trials.empty()) return found;
  if (last_starving == trials.rend()) {
    found.smallest = trials.front();
    found.least_tried = true;
  } else {
    found.smallest = bisect_rings(*last_starving, *std::prev(last_starving), run);
  }
  return found;
}

}  // namespace

std::vector<Frames> tabulated_rings(const RingRange& rings, Frames recorded, int rows) {
  std::vector<Frames> sizes;
  const int steps = std::max(rows, 2) - 1;
  const double factor =
      static_cast<double>(rings.most) / static_cast<double>(std::max<Frames>(1, rings.least));
  for (int step = 0; step <= steps; ++step) {
    sizes.push_back(static_cast<Frames>(std::llround(static_cast<double>(rings.least) *
                                                     std::pow(factor, static_cast<double>(step) / steps))));
  }
  if (recorded > rings.least && recorded < rings.most) sizes.push_back(recorded);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

WhatIfTable what_if(const WhatIfPlan& plan, const WhatIfRun& run) {
  WhatIfTable table;
  table.recorded = plan.recorded;
  const auto rings = tabulated_rings(plan.rings, plan.recorded.ring, plan.rows);
  for (const auto& card : plan.cards) {
    std::vector<WhatIfTrial> trials;
    for (const Frames ring : rings) {
      WhatIfTrial trial = run({ring, card.period, card.buffer});
      // Two sizes that are rounded up to the same are one.
      if (trials.empty() || trial.granted.ring > trials.back().granted.ring) trials.push_back(trial);
    }
    table.safe.push_back(smallest_safe(card, trials, run));
    table.trials.insert(table.trials.end(), trials.begin(), trials.end());
  }
  return table;
}

}  // namespace xrunlab
