// Simulated experiments in which the truth is known: does the rule of `compare` keep to its 5 %, and does it
// see what it should? The power that it should have is computed by tests of its own, without the rule's code.
// Used by the program compare_truth and, in a short form, by the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace xrunlab::test {

enum class Noise { lognormal, pareto, poisson, drift };
enum class Pairing { unrelated, blocks };

/// One row of the acceptance: what the figures look like, and how many there are.
struct RuleCell {
  Noise noise = Noise::lognormal;
  Pairing pairing = Pairing::unrelated;
  std::size_t groups = 2;
  std::size_t runs = 10;
};

std::string to_string(const RuleCell& cell);

/// Lognormal σ 0.5, Pareto α 1.2, Poisson mean 0.3, each of unrelated runs and of blocks; block drift 0.7
/// with residual 0.15; 2×7, 2×10 and 4×10 runs.
std::vector<RuleCell> all_rule_cells();

/// By how much the last group's figures must be larger (ln of the factor) for a power of 80 %: 20,000
/// drawings a step at the end, or `effort` of it.
double shift_of_power(const RuleCell& cell, double effort = 1);

struct RuleCounts {
  int any_called = 0;  ///< trials in which any group was called better or worse
  int worse = 0;       ///< trials in which the last group was called worse
  int better = 0;
};

/// Trials of the seeds 1 … `trials`, the last group's figures larger by exp(shift).
RuleCounts try_rule(const RuleCell& cell, double shift, int trials);

}  // namespace xrunlab::test
