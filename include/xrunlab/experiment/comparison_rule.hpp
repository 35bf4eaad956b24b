// The rule by which `compare` says better or worse, and the only place that does: one figure decides, by
// exact tests, Holm's adjustment over all groups and an effect that is worth mentioning. Pure;
// docs/compare.md is its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

enum class Better { lower, higher };

/// What one run yielded of the figure that decides, and what it shares with runs of other groups.
struct RunValue {
  double logarithm = 0;  ///< natural; −∞ for a figure of 0
  std::string series;    ///< sweep and machine; empty: no run of a sweep
  std::int64_t block = 0;
  std::string combination;  ///< settings that the runs are not grouped by: only equal ones are paired
  std::string boot;
  bool exploratory = false;  ///< beyond the planned number
};

struct RuleGroup {
  std::vector<RunValue> values;
  std::vector<std::string> confounders;  ///< what differs from the baseline beside what is compared
  bool differs_by_boot = false;          ///< from the baseline, in what only a boot changes: the kernel
};

struct RuleRequest {
  std::string metric;  ///< its name, for the text
  Better better = Better::lower;
  double min_effect = 0.05;
};

/// A judgement on each group, in their order; that of the baseline says so. `baseline` is an index.
std::vector<Judgement> judge_groups(const std::vector<RuleGroup>& groups, std::size_t baseline,
                                    const RuleRequest& request);

}  // namespace xrunlab
