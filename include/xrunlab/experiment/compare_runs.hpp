// Compares runs: groups them, pools their figures, and lets the rule say which group is better or worse than
// the baseline. Called by `compare`, and by `sweep` at its end; pure.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/experiment/run_groups.hpp"
#include "xrunlab/experiment/run_summary.hpp"

namespace xrunlab {

struct CompareRequest {
  std::vector<std::string> by;  ///< empty: what a sweep has varied, else the kernel
  std::string baseline;         ///< empty: as found, else the first group
  std::string metric;           ///< empty: as the kind of run has it
  double min_effect = 0.05;     ///< a ratio nearer to 1 is no difference
  DoubtfulRuns doubtful = DoubtfulRuns::leave_out;
};

/// Throws Error{usage} for an unknown key, metric or baseline. Without a run that counts there are no groups.
Comparison compare_runs(const std::vector<RunSummary>& runs, const CompareRequest& request);

}  // namespace xrunlab
