// Makes the runs of a plan one after the other, passing over those that are recorded already, and says how
// far it is. Sees a run, and the pause between two, only as functions. Used by `sweep` on the main thread.
#pragma once

#include <functional>
#include <set>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/experiment/sweep_plan.hpp"

namespace xrunlab {

enum class SweepEnd {
  complete,     ///< every run of the plan is recorded
  failed,       ///< a run could not be made
  interrupted,  ///< by a signal
};

struct SweepProgress {
  int done = 0;  ///< runs that are recorded, earlier ones included
  int total = 0;
  Nanoseconds left{};  ///< expected, this run included
};

struct SweepActions {
  /// Makes one run and records it. Anything but `complete` ends the sweep, and the run counts as not made.
  std::function<SweepEnd(const SweepRun&, const SweepProgress&)> run;
  /// Waits between two runs; false when a signal came.
  std::function<bool(Nanoseconds)> cool_down;
};

struct SweepResult {
  SweepEnd end = SweepEnd::complete;
  int recorded = 0;              ///< in this call
  int left = 0;                  ///< runs of the plan that are not recorded
  const SweepRun* at = nullptr;  ///< of the plan; where it ended, nullptr when complete
};

struct SweepPace {
  Nanoseconds run_length{};  ///< what a run is thought to take before the first one is done
  Nanoseconds cool_down{};   ///< between two runs, not before the first nor after the last
};

/// `recorded`: numbers of the runs that are not to be made again. After the first run the time left is
/// reckoned from what the runs took.
SweepResult make_runs(const SweepPlan& plan, const std::set<int>& recorded, const SweepPace& pace,
                      const Clock& clock, const SweepActions& actions);

}  // namespace xrunlab
