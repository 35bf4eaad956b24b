// What --fail-if asks of a comparison: a limit on a figure, or that no group is worse than the baseline. What
// cannot be told counts as failed: never a pass without samples. Pure; used by `compare`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

enum class FailOperator { less, at_most, more, at_least, equal, unequal, worse };

struct FailRule {
  std::string text;        ///< as typed
  std::string metric;      ///< name of the figure
  std::size_t figure = 0;  ///< index into run_figures()
  FailOperator op = FailOperator::worse;
  double limit = 0;  ///< ns, bytes a second, shares 0 … 1, else plain numbers
};

/// "METRIC OP VALUE[unit]" with < <= > >= == !=, or "METRIC worse"; blanks are optional around an operator.
/// Durations as 250ms (a plain number is seconds), shares as 5% or 0.05, speeds as 80MB/s. Throws
/// Error{usage}.
FailRule parse_fail_rule(std::string_view text);

struct FailOutcome {
  bool failed = false;
  std::string text;  ///< why, a line; empty when it has not
};

/// Failed when any group breaks the rule, or when it cannot be told for one: no figure, no verdict, no group.
FailOutcome apply_fail_rule(const FailRule& rule, const Comparison& comparison);

/// The same of runs of several kinds: those that have the figure are asked. Failed when none has it.
FailOutcome apply_fail_rule(const FailRule& rule, const std::vector<Comparison>& comparisons);

}  // namespace xrunlab
