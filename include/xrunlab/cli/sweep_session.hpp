// A sweep that is to be made on this machine: everything that can be known before the first run, and the
// object that makes one run after the other. Used by `sweep` on the main thread.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "xrunlab/cli/play_child.hpp"
#include "xrunlab/cli/sweep_machine.hpp"
#include "xrunlab/cli/sweep_play.hpp"
#include "xrunlab/cli/sweep_progress.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/experiment/sweep.hpp"
#include "xrunlab/model/sweep_directory.hpp"

namespace xrunlab {

struct SweepSetup {
  SweepManifest manifest;
  SweepPlan plan;
  std::vector<std::vector<std::string>> words;      ///< for play, by combination
  std::vector<std::vector<InertSetting>> inert;     ///< by combination
  std::vector<std::vector<SettingValue>> settings;  ///< of the machine, that can be set; by combination
  SettingTargets targets;                           ///< of all combinations
  Nanoseconds run_length{};                         ///< mean over the combinations
  Nanoseconds least_length{};  ///< which no combination reaches, so that none can get a verdict; 0: some can
};

/// Rehearses every combination, so that what is wrong with one is known now. `scheduler=all` becomes what the
/// disks offer. `checkpoint` is called between two. Throws Error.
SweepSetup set_up_sweep(const SweepManifest& manifest, const std::function<void()>& checkpoint);

class SweepSession {
 public:
  /// All of these must outlive it.
  SweepSession(const SweepSetup& setup, const SweepDirectory& directory, SweepMachine& machine,
               GuardProcess& guard, const Signals& signals, SweepReport& report);

  /// The runs that are recorded already. Throws as SweepDirectory::holds.
  std::set<int> recorded() const;

  /// Sets the settings, prepares, plays, records.
  SweepEnd make(const SweepRun& run, const SweepProgress& progress);

  /// Why the last run failed, if it did.
  const std::optional<Error>& failure() const noexcept { return failure_; }

 private:
  std::string name_of_run(const SweepRun& run) const;
  std::string combination_of(const SweepRun& run) const;
  ExperimentInfo info(const SweepRun& run) const;
  SweepEnd fail(const SweepRun& run, const ChildRun& child, const std::string& command);

  const SweepSetup& setup_;
  const SweepDirectory& directory_;
  const Signals& signals_;
  SweepReport& report_;
  SweepMachine& machine_;
  PlayChild child_;
  std::optional<Error> failure_;
};

}  // namespace xrunlab
