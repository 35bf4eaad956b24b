// The trials of a capacity search: writes what they need, plays them one by one in a process of their own,
// and takes down what they came to. Used by `capacity` on main.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/cli/capacity_request.hpp"
#include "xrunlab/cli/capacity_set.hpp"
#include "xrunlab/cli/play_child.hpp"
#include "xrunlab/experiment/capacity_figures.hpp"
#include "xrunlab/platform/system_sampler.hpp"

namespace xrunlab {

/// What `play` said when it did not run: its last line, without "xrunlab: ".
std::string refusal_of(const ChildRun& child);

/// Where run files go: a directory that the user named, or one that is removed with this object and, after
/// kill -9, by the guard.
class RunFolder {
 public:
  enum class Kept : std::uint8_t { no, yes };

  /// Throws Error{usage} when `named`, unless it is empty, is there already and not empty; Error{system}.
  RunFolder(GuardProcess& guard, const std::string& named);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// "001-144.json" in it, and so on: numbered over all searches.
  std::filesystem::path next(const std::string& what);
  /// For a run that writes none.
  std::filesystem::path unwritten() const;
  bool kept() const noexcept { return kept_ == Kept::yes; }

 private:
  std::filesystem::path path_;
  Kept kept_;
  bool made_ = false;
  int number_ = 0;
};

class CapacityTrials {
 public:
  /// All must outlive it. `found` gets each trial as it ends.
  CapacityTrials(const CapacityRequest& request, CapacitySet& set, PlayChild& child, RunFolder& folder,
                 ShowProgress progress, CapacityData& found);

  /// One trial; nothing when a signal came. Throws Error when `play` refuses what it was given.
  std::optional<TrialView> run(std::int64_t value);

  /// The same set with no card to wait for. Not there when a signal came or it could not be run.
  void run_unpaced(std::int64_t tracks);

  /// Why the last failed trial of a step failed; empty when none did.
  CapacityLimit limit_of(std::int64_t value) const;

 private:
  std::optional<ChildRun> play(std::int64_t tracks, std::vector<std::string> words, const std::string& name);
  void take_down(const RunData& run, std::int64_t value);
  std::optional<std::int64_t> device_busy_ns();
  bool is_too_small(const ChildRun& child, std::int64_t value) const;

  const CapacityRequest& request_;
  CapacitySet& set_;
  PlayChild& child_;
  RunFolder& folder_;
  ShowProgress progress_;
  CapacityData& found_;
  SystemSampler sampler_;
  std::optional<double> device_busy_;  ///< in the last run
  std::string run_file_;               ///< of the last run, when it is kept
  std::map<std::int64_t, CapacityLimit> limits_;
};

}  // namespace xrunlab
