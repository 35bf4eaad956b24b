// Compares runs: groups them, pools their figures, and lets the rule say which group is better or worse than
// the baseline. Called by `compare`, and by `sweep` at its end; pure.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/experiment/run_groups.hpp"
#include "xrunlab/experiment/run_summary.hpp"

namespace xrunlab {

struct CompareRequest {
  std::vector<std::string> by;  ///< empty: what a sweep has varied, else kernel and preemption
  std::string baseline;         ///< empty: as found, else the first group
  std::string metric;           ///< empty: as the kind of run has it
  double min_effect = 0.05;     ///< a ratio nearer to 1 is no difference
  DoubtfulRuns doubtful = DoubtfulRuns::leave_out;
};

/// One comparison for each kind of run, in their order; metric and baseline concern the kinds that have them.
/// What is left out stands in the first. Throws Error{usage} for an unknown key, metric or baseline. Without
/// a run that counts there is one, without groups.
std::vector<Comparison> compare_kinds(const std::vector<RunSummary>& runs, const CompareRequest& request);

/// The same for runs of one kind; throws Error{usage} where there are several.
Comparison compare_runs(const std::vector<RunSummary>& runs, const CompareRequest& request);

}  // namespace xrunlab
