// The figures of a group of runs, made of those of its runs. Used by compare_runs.
#pragma once

#include "xrunlab/experiment/run_groups.hpp"

namespace xrunlab {

/// Every figure of run_figures(), PASS and dropouts with their intervals.
ComparedGroup figures_of(const RunGroup& group);

/// Of kind latency, the median length of its rounds; 0: not known.
std::optional<double> usual_round_ns(const RunGroup& group);

/// Beyond the number that its sweep planned.
bool is_exploratory(const RunSummary& run);

}  // namespace xrunlab
