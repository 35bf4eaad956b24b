// What a few trials say about how often a thing passes. Pure; used by the capacity search and its report.
#pragma once

namespace xrunlab {

/// The lower bound, one-sided at 95 %, of a pass rate of which `passes` of `trials` (1 or more) were seen
/// (Clopper and Pearson 1934): 0.549 for 5 of 5.
double pass_rate_low(int passes, int trials);

}  // namespace xrunlab
