// Where a run stands in the sweep that made it: which block, which combination of settings, what was varied.
// `sweep` writes it into each run file, `compare` groups and pairs the runs by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xrunlab {

/// One setting as it was set for a run.
struct SettingData {
  std::string key;    ///< as given to --vary or --fix: "scheduler", "iosched.fifo_batch", "ring"
  std::string value;  ///< what it was set to, as the kernel granted it
  std::optional<std::string> found;  ///< what it was before the sweep; absent: an option, not the machine's
  bool acts = true;                  ///< false: it cannot act in this configuration, and was set all the same
  std::optional<std::string> asked{};  ///< where the kernel granted another value
  friend bool operator==(const SettingData&, const SettingData&) = default;
};

struct ExperimentInfo {
  std::string sweep_id;  ///< the same in all runs of one sweep, in no other
  std::int64_t seed = 0;
  std::int64_t block = 0;         ///< index; a block runs each combination once
  std::int64_t combination = 0;   ///< index, in the order of --vary
  std::int64_t planned_runs = 0;  ///< of each combination, warm-ups left out; a block beyond is exploratory
  bool warmup = false;            ///< counts for nothing
  std::vector<SettingData> varied;
  std::vector<SettingData> fixed;
  friend bool operator==(const ExperimentInfo&, const ExperimentInfo&) = default;
};

}  // namespace xrunlab
