// Which runs a sweep consists of, and in which order: all combinations of the varied values, in blocks of
// which each runs every combination once, in an order of its own that only the seed and the block's number
// decide. So drift of the machine hits all combinations alike, and more blocks can be added later. Pure; used
// by `sweep` on the main thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/model/sweep_manifest.hpp"

namespace xrunlab {

enum class SweepPhase {
  warm_up,      ///< not to be counted
  measured,     ///< as planned
  exploratory,  ///< added when results were known
};

/// One run's place in the sweep.
struct SweepRun {
  int number = 0;  ///< from 1, warm-ups included
  SweepPhase phase = SweepPhase::measured;
  int block = 0;  ///< from 1 within warm-ups and within all others
  std::size_t combination = 0;
  friend bool operator==(const SweepRun&, const SweepRun&) = default;
};

struct SweepPlan {
  /// A value of each axis, in the order of the axes; the last axis changes fastest.
  std::vector<std::vector<std::string>> combinations;
  std::vector<SweepRun> runs;  ///< in the order in which they are to be made; runs[i].number is i + 1
};

inline constexpr int kMostSweepRuns = 100'000;

/// Throws Error{usage} for an axis without values, one that is there twice, a value that is there twice, and
/// for more than kMostSweepRuns.
SweepPlan plan_sweep(const SweepManifest& sweep);

/// "scheduler=bfq, ring=2s"; "as it is" without axes.
std::string combination_text(const SweepManifest& sweep, const std::vector<std::string>& values);

/// "run-017.json", "warm-up-003.json": how the run's file is called, with as many digits as the sweep needs.
std::string sweep_file_name(const SweepPlan& plan, const SweepRun& run);

/// A whole sweep's or a rest's duration when a run takes `run_length`; without the time that starting takes.
Nanoseconds planned_duration(std::size_t runs, Nanoseconds run_length, Nanoseconds cool_down);

}  // namespace xrunlab
