// Which runs count, how they are grouped, and which group the others are held against. Pure; used by
// compare_runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "xrunlab/experiment/run_summary.hpp"

namespace xrunlab {

enum class DoubtfulRuns { leave_out, include };

struct ChosenRuns {
  std::vector<const RunSummary*> used;
  std::vector<LeftOutRun> left_out;
};

/// Leaves out warm-ups, the same run met twice, and what is no measurement (incomplete, injected, without a
/// verdict), which `doubtful` may include.
ChosenRuns choose_runs(const std::vector<RunSummary>& runs, DoubtfulRuns doubtful);

/// The keys that a sweep has varied, in order; without a sweep kernel and preemption, and of listings that
/// do not differ in these the title.
std::vector<std::string> usual_keys(const std::vector<const RunSummary*>& runs);

/// Throws Error{usage} for a key that no run knows, and for one that is there twice.
void check_keys(const std::vector<std::string>& keys, const std::vector<const RunSummary*>& runs);

/// The value of a setting of the sweep, else of a fact; "-" when the run knows neither.
std::string value_of_key(const RunSummary& run, const std::string& key);

struct RunGroup {
  KeyValues keys;
  std::string label;
  std::vector<const RunSummary*> runs;
};

/// By first appearance, those of one sweep in the order of its combinations.
std::vector<RunGroup> group_runs(const std::vector<const RunSummary*>& runs,
                                 const std::vector<std::string>& keys);

/// Whether `name` names one: its label, a value, or KEY=VALUE.
bool has_group(const std::vector<RunGroup>& groups, const std::string& name);

/// The group that `named` names (its label, a value, or KEY=VALUE); when empty the one whose settings are
/// those that the sweep found, else the first. Throws Error{usage}.
std::size_t find_baseline(const std::vector<RunGroup>& groups, const std::string& named);

}  // namespace xrunlab
