// Finds the hardest step of a ladder (more tracks, a smaller ring, a smaller fragment) that a machine still
// manages: doubling, then bisection guided by what each run had left, then confirmation of the answer and of
// the step beyond it. Sees a run only as a function. Used by `xrunlab capacity` on main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace xrunlab {

/// What became of a trial. `impossible`: it could not be run at all, nor could anything harder be.
enum class TrialOutcome : std::uint8_t { pass, marginal, fail, no_verdict, impossible };

/// What the search sees of a run. Both edges are values of the ladder, absent where the figures do not tell.
struct TrialView {
  TrialOutcome outcome = TrialOutcome::no_verdict;
  std::optional<double> edge;              ///< where by its figures nothing would have been left
  std::optional<double> comfortable_edge;  ///< where by its figures PASS would have become MARGINAL
  std::string reason;                      ///< why there is no verdict, or why it is impossible
};

/// Runs one trial with a value of the ladder; nothing: interrupted.
using TrialFunction = std::function<std::optional<TrialView>(std::int64_t value)>;

struct SearchPlan {
  std::vector<std::int64_t> ladder;  ///< from the easiest to the hardest: rising or falling, not empty
  std::size_t start = 0;             ///< index of the first step to be tried
  int confirm = 5;                   ///< the answer has to pass so often of so many, 1 or more
  int most_trials = 100;
};

enum class SearchEnd : std::uint8_t {
  edge,         ///< the step beyond the answer fails
  top,          ///< the hardest step of the ladder is managed
  bottom,       ///< not even the easiest is
  impossible,   ///< the step beyond could not be run
  no_verdict,   ///< runs prove nothing
  too_many,     ///< still undecided after most_trials
  interrupted,  ///< the trial function said so
};

/// What was seen of one step.
struct StepTally {
  std::int64_t value = 0;
  int passes = 0;     ///< MARGINAL ones too: they do not fail
  int marginals = 0;  ///< of these
  int failures = 0;
  int trials() const noexcept { return passes + failures; }
};

struct SearchResult {
  SearchEnd end = SearchEnd::interrupted;
  std::optional<StepTally> answer;       ///< confirmed, but for `too_many`, `no_verdict` and `interrupted`
  std::optional<StepTally> comfortable;  ///< hardest step, up to the answer, that mostly had PASS
  std::optional<StepTally>
      beyond;          ///< the first failing step; for `impossible` the one that could not be run
  std::string reason;  ///< for `impossible` and `no_verdict`
  int trials = 0;
};

/// A step is held to be managed once the lower bound of its pass rate (95 %, one-sided) is no worse than that
/// of `confirm` passes of as many: 5 of 5, 8 of 9, 10 of 12 … It is held to fail after 2 failures of 2 or 3,
/// 3 of 5 … where the runs' own figures back them up, else after one more; and when three times `confirm`
/// trials have not decided it. A failure that the figures contradict is tried again at once, any other when
/// it turns out to be next to the answer: so a false one costs a few trials, not the answer. Throws what
/// `run` throws.
SearchResult search_capacity(const SearchPlan& plan, const TrialFunction& run);

}  // namespace xrunlab
