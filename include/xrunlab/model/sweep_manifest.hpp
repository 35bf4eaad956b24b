// What a sweep consists of, kept as sweep.json beside its run files (schema xrunlab/sweep/1), so that it can
// be gone on with and every run's place in it is known. Written and read by `xrunlab sweep`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

inline constexpr const char* kSweepManifestName = "sweep.json";
inline constexpr const char* kSweepSchema = "xrunlab/sweep/1";

/// A key that is varied, and its values in the order given.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
  friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};

/// A key that has one value in all runs.
struct SweepFix {
  std::string key;
  std::string value;
  friend bool operator==(const SweepFix&, const SweepFix&) = default;
};

struct SweepManifest {
  std::string id;               ///< of this sweep and of no other; in every run file
  std::vector<SweepAxis> axes;  ///< none: one combination, which is run again and again
  std::vector<SweepFix> fixed;
  int runs = 10;        ///< of every combination; what the statistics were planned with
  int exploratory = 0;  ///< of every combination, added afterwards
  int warm_ups = 1;     ///< of every combination, before the first measured run
  Nanoseconds cool_down = std::chrono::seconds{5};
  std::int64_t seed = 1;
  std::string prepare;  ///< a command for sh before each run; empty: none
  bool force_inert = false;
  std::vector<std::string> play;  ///< the arguments of `play`
  friend bool operator==(const SweepManifest&, const SweepManifest&) = default;
};

std::string to_json(const SweepManifest& sweep);

/// Throws Error{input_file} naming `source` for text that is no such manifest, or whose numbers make no
/// sense.
SweepManifest sweep_manifest_from_json(const std::string& text, const std::string& source);

}  // namespace xrunlab
