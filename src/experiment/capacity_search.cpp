#include "xrunlab/experiment/capacity_search.hpp"

#include <algorithm>
#include <cmath>

#include "xrunlab/experiment/pass_rate.hpp"

namespace xrunlab {
namespace {

// Two at once may be a machine that was busy for a minute.
constexpr int kMostUnjudged = 3;
// Upwards by at most this factor: figures from far below the edge are rough, and tracks have to be written.
constexpr double kMostStride = 4;
constexpr double kLeastStride = 2;
// Figures that put the edge this far beyond a step that failed contradict the failure.
constexpr double kContradiction = 1.05;
// So many failures in a row are believed; where no figures back them up, one more.
constexpr int kBelievedFailures = 2;
// The comfortable step is a second answer of the same trials; more than these it is not worth.
constexpr int kMostComfortTrials = 2;
// PASS wants a tenth more than is needed, at the least.
constexpr double kComfort = 1.1;

struct Step {
  StepTally tally;
  std::optional<double> edge;
  std::optional<double> comfortable_edge;
};

class CapacitySearch {
 public:
  CapacitySearch(const SearchPlan& plan, const TrialFunction& run) : plan_(plan), run_(run) {
    for (const auto value : plan.ladder) steps_.emplace_back().tally.value = value;
    end_ = static_cast<int>(steps_.size());
    rises_ = plan.ladder.back() >= plan.ladder.front();
    bound_ = pass_rate_low(plan.confirm, plan.confirm);
  }

  SearchResult find();

 private:
  // Positions are indices of steps; -1 is easier than all, end_ harder than all.
  const StepTally& tally(int step) const { return steps_[static_cast<std::size_t>(step)].tally; }
  double value(int step) const { return static_cast<double>(tally(step).value); }
  bool managed(int step) const;
  bool rejected(int step) const;
  void look_for_bracket();
  std::optional<int> undecided_between() const;
  bool backed_up(int step) const;
  bool contradicted(int step) const;
  std::optional<int> next_step();
  int next_upwards();
  int next_between();
  int step_for(double edge) const;
  int step_by_factor(int step, double factor) const;
  std::optional<int> told_edge(int low, int high, std::optional<double> Step::*edge) const;
  bool try_step(int step);
  void look_for_comfort();
  bool comfortable(int step) const;
  SearchResult result() const;

  const SearchPlan& plan_;
  const TrialFunction& run_;
  std::vector<Step> steps_;
  int end_ = 0;
  bool rises_ = true;
  double bound_ = 0;
  int low_ = -1;        ///< hardest step that passes, as far as is known
  int high_ = 0;        ///< easiest step beyond it that fails
  int impossible_ = 0;  ///< the first step that cannot be run; end_ when there is none
  int creep_ = 1;       ///< steps to go up when by the figures the edge is right here
  int last_gap_ = 0;
  int trials_ = 0;
  int unjudged_ = 0;  ///< one after the other
  SearchEnd outcome_ = SearchEnd::edge;
  std::string reason_;
};

bool CapacitySearch::managed(int step) const {
  const StepTally& seen = tally(step);
  return seen.passes >= plan_.confirm && pass_rate_low(seen.passes, seen.trials()) >= bound_ - 1e-12;
}

bool CapacitySearch::rejected(int step) const {
  const StepTally& seen = tally(step);
  const int believed = kBelievedFailures + (backed_up(step) ? 0 : 1);
  if (seen.failures >= believed && seen.failures > seen.passes) return true;
  return seen.trials() >= 3 * plan_.confirm && seen.failures > 0 && !managed(step);
}

void CapacitySearch::look_for_bracket() {
  int ceiling = impossible_;
  for (int step = 0; step < ceiling; ++step) {
    if (rejected(step)) ceiling = step;
  }
  low_ = -1;
  for (int step = 0; step < ceiling; ++step) {
    if (tally(step).passes > tally(step).failures) low_ = step;
  }
  high_ = low_ + 1;
  while (high_ < ceiling && tally(high_).failures <= tally(high_).passes) ++high_;
}

/// A step within the bracket that has passed as often as failed.
std::optional<int> CapacitySearch::undecided_between() const {
  for (int step = low_ + 1; step < std::min(high_, impossible_); ++step) {
    if (tally(step).trials() > 0) return step;
  }
  return std::nullopt;
}

/// Whether the only trial of a step failed against its own figures.
bool CapacitySearch::contradicted(int step) const {
  return tally(step).trials() == 1 && steps_[static_cast<std::size_t>(step)].edge && !backed_up(step);
}

/// Whether a failure goes with the figures of the last run of the step.
bool CapacitySearch::backed_up(int step) const {
  const auto& edge = steps_[static_cast<std::size_t>(step)].edge;
  if (!edge) return false;
  return rises_ ? *edge <= value(step) * kContradiction : *edge * kContradiction >= value(step);
}

/// The hardest step within an edge, -1 when there is none.
int CapacitySearch::step_for(double edge) const {
  int found = -1;
  for (int step = 0; step < end_; ++step) {
    if (rises_ ? value(step) <= edge : value(step) >= edge) found = step;
  }
  return found;
}

/// The hardest step that is at most so many times as hard, but harder.
int CapacitySearch::step_by_factor(int step, double factor) const {
  return std::max(step + 1, step_for(rises_ ? value(step) * factor : value(step) / factor));
}

/// Where by the figures the edge lies between two steps. What failed was at the limit itself, so its figures
/// are the better ones, unless they lead out; then those of the step that is nearer to its own edge.
std::optional<int> CapacitySearch::told_edge(int low, int high, std::optional<double> Step::*edge) const {
  std::optional<int> nearest;
  double least = HUGE_VAL;
  for (const int step : {high, low}) {
    if (step < 0 || step >= end_) continue;
    const auto& told = steps_[static_cast<std::size_t>(step)].*edge;
    if (!told || *told <= 0) continue;
    const int found = step_for(*told);
    if (step == high && found >= low && found < high) return found;
    const double away = std::fabs(std::log(*told / value(step)));
    if (away >= least) continue;
    least = away;
    nearest = found;
  }
  return nearest;
}

int CapacitySearch::next_upwards() {
  const int farthest = step_by_factor(low_, kMostStride);
  const int nearest = step_by_factor(low_, kLeastStride);
  int next = nearest;
  if (const auto edge = told_edge(low_, end_, &Step::edge)) {
    next = std::min(*edge, farthest);
    if (next < nearest) {
      next = std::min(std::max(next, low_ + creep_), nearest);
      creep_ *= 2;
    }
  }
  return std::min(next, impossible_ - 1);
}

int CapacitySearch::next_between() {
  const int gap = high_ - low_;
  // Figures that mislead must not cost more than twice the trials of plain bisection.
  const bool halved = last_gap_ == 0 || gap * 2 <= last_gap_;
  last_gap_ = gap;
  if (halved) {
    if (const auto edge = told_edge(low_, high_, &Step::edge)) {
      return std::clamp(*edge > low_ ? *edge : low_ + 1, low_ + 1, high_ - 1);
    }
  }
  last_gap_ = 0;
  return low_ + gap / 2;
}

/// What to try next; nothing when all is decided.
std::optional<int> CapacitySearch::next_step() {
  look_for_bracket();
  const bool nothing_known = low_ < 0 && high_ >= impossible_;
  if (nothing_known && impossible_ > 0) {
    const int start = std::min(static_cast<int>(plan_.start), end_ - 1);
    return impossible_ < end_ ? std::min(start, impossible_ / 2) : start;
  }
  if (const auto open = undecided_between()) return open;
  const bool fails_beyond = high_ < impossible_;
  if (fails_beyond && contradicted(high_)) return high_;
  if (high_ - low_ > 1) {
    return fails_beyond ? next_between() : next_upwards();
  }
  if (fails_beyond && !rejected(high_)) return high_;
  if (low_ >= 0 && !managed(low_)) return low_;
  return std::nullopt;
}

/// False when the search has to end.
bool CapacitySearch::try_step(int step) {
  if (trials_ >= plan_.most_trials) {
    outcome_ = SearchEnd::too_many;
    return false;
  }
  Step& tried = steps_[static_cast<std::size_t>(step)];
  const auto view = run_(tried.tally.value);
  if (!view) {
    outcome_ = SearchEnd::interrupted;
    return false;
  }
  ++trials_;
  if (view->outcome == TrialOutcome::impossible) {
    impossible_ = step;
    reason_ = view->reason;
    return true;
  }
  if (view->outcome == TrialOutcome::no_verdict) {
    reason_ = view->reason;
    if (++unjudged_ < kMostUnjudged) return true;
    outcome_ = SearchEnd::no_verdict;
    return false;
  }
  unjudged_ = 0;
  tried.tally.passes += view->outcome == TrialOutcome::fail ? 0 : 1;
  tried.tally.marginals += view->outcome == TrialOutcome::marginal ? 1 : 0;
  tried.tally.failures += view->outcome == TrialOutcome::fail ? 1 : 0;
  if (view->edge) tried.edge = view->edge;
  if (view->comfortable_edge) tried.comfortable_edge = view->comfortable_edge;
  return true;
}

bool CapacitySearch::comfortable(int step) const {
  const StepTally& seen = tally(step);
  return (seen.passes - seen.marginals) * 2 > seen.trials();
}

void CapacitySearch::look_for_comfort() {
  for (int tried = 0;; ++tried) {
    int easy = low_;
    while (easy >= 0 && !comfortable(easy)) --easy;
    int hard = easy + 1;
    while (hard <= low_ && tally(hard).trials() == 0) ++hard;
    if (hard > low_ || hard - easy <= 1 || tried >= kMostComfortTrials) return;
    int next = easy + (hard - easy) / 2;
    if (tried == 0) {
      const int within = step_for(rises_ ? value(low_) / kComfort : value(low_) * kComfort);
      const int told = told_edge(easy, hard, &Step::comfortable_edge).value_or(within);
      next = std::clamp(std::min(told, within), easy + 1, hard - 1);
    }
    const SearchEnd found = outcome_;
    if (!try_step(next) || tally(next).trials() == 0) {
      if (outcome_ != SearchEnd::interrupted) outcome_ = found;
      return;
    }
  }
}

SearchResult CapacitySearch::result() const {
  SearchResult found;
  found.end = outcome_;
  found.reason = reason_;
  found.trials = trials_;
  if (low_ >= 0) found.answer = tally(low_);
  for (int step = 0; step <= low_; ++step) {
    if (comfortable(step)) found.comfortable = tally(step);
  }
  if (low_ + 1 < end_) found.beyond = tally(low_ + 1);
  return found;
}

SearchResult CapacitySearch::find() {
  impossible_ = end_;
  while (const auto step = next_step()) {
    if (!try_step(*step)) {
      look_for_bracket();
      return result();
    }
  }
  if (low_ < 0) {
    outcome_ = impossible_ == 0 ? SearchEnd::impossible : SearchEnd::bottom;
  } else if (low_ + 1 == impossible_) {
    outcome_ = impossible_ == end_ ? SearchEnd::top : SearchEnd::impossible;
  }
  look_for_comfort();
  return result();
}

}  // namespace

SearchResult search_capacity(const SearchPlan& plan, const TrialFunction& run) {
  return CapacitySearch(plan, run).find();
}

}  // namespace xrunlab
