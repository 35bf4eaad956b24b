#include "xrunlab/experiment/sweep.hpp"

namespace xrunlab {

SweepResult make_runs(const SweepPlan& plan, const std::set<int>& recorded, const SweepPace& pace,
                      const Clock& clock, const SweepActions& actions) {
  std::vector<const SweepRun*> to_do;
  for (const auto& run : plan.runs) {
    if (!recorded.contains(run.number)) to_do.push_back(&run);
  }
  const auto total = static_cast<int>(plan.runs.size());
  SweepResult result;
  result.left = static_cast<int>(to_do.size());
  Nanoseconds spent{};
  const auto ended = [&](SweepEnd end, const SweepRun* at) {
    result.end = end;
    result.at = at;
    return result;
  };
  for (const auto* const run : to_do) {
    if (result.recorded > 0 && !actions.cool_down(pace.cool_down)) return ended(SweepEnd::interrupted, run);
    const Nanoseconds length = result.recorded > 0 ? spent / result.recorded : pace.run_length;
    const auto left = planned_duration(static_cast<std::size_t>(result.left), length, pace.cool_down);
    const Nanoseconds begin = clock.now();
    const SweepEnd end = actions.run(*run, {total - result.left, total, left});
    if (end != SweepEnd::complete) return ended(end, run);
    spent += clock.now() - begin;
    ++result.recorded;
    --result.left;
  }
  return result;
}

}  // namespace xrunlab
