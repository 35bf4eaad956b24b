// Prints what scripts/truth-compare is for: over 2,000 simulated experiments of each kind, how often the rule
// of `compare` calls a difference that is not there, and how often it sees one that it should see.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/experiment/truth/rule_trials.hpp"

int main(int argc, char** argv) {
  using namespace xrunlab::test;
  const int trials = argc > 1 ? std::atoi(argv[1]) : 2000;
  if (trials != 2000) std::printf("(%d trials instead of 2000: the limits are in proportion)\n", trials);
  const double share = trials / 2000.0;
  int failures = 0;
  std::printf("%-34s %8s %8s %8s %8s\n", "", "A/A", "ratio", "worse", "better");
  std::printf("%-34s %8s %8s %8s %8s\n", "of so many", "called", "at 80 %", "called", "called");
  for (const auto& cell : all_rule_cells()) {
    const auto same = try_rule(cell, 0, trials);
    const double shift = shift_of_power(cell);
    const auto shifted = try_rule(cell, shift, trials);
    const bool right =
        same.any_called <= 131 * share && shifted.worse >= 1546 * share && shifted.better <= 10 * share;
    failures += right ? 0 : 1;
    std::printf("%-34s %8d %8.3f %8d %8d%s\n", to_string(cell).c_str(), same.any_called, std::exp(shift),
                shifted.worse, shifted.better, right ? "" : "  WRONG");
    std::fflush(stdout);
  }
  std::printf("must be%27s %8s %8s %8s %8s\n", "", "<= 131", "", ">= 1546", "<= 10");
  std::printf("%s\n", failures == 0 ? "as it must be" : (std::to_string(failures) + " wrong").c_str());
  return failures == 0 ? 0 : 1;
}
