// Runs `play` in a process of its own and reads the run file that it writes: so each run starts with a fresh
// process, as if it had been typed, and none outlives xrunlab. Used on main by what plays again and again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/guard_process.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

/// What a run came to. Without a run file (wrong options, no memory for the ring …) only the last two say
/// why.
struct PlayedRun {
  std::optional<RunData> run;
  int exit_code = 0;
  std::string error;  ///< the last line on its stderr, without "xrunlab: "
};

class PlayChild {
 public:
  /// Both must outlive it.
  PlayChild(GuardProcess& guard, const Signals& signals) : guard_(guard), signals_(signals) {}

  /// Plays with `words` (as behind `xrunlab play`, without --json and --quiet) and waits for the end. The run
  /// file is left at `run_file`. Nothing when a signal came: then the run is stopped, and its run file is
  /// incomplete or not there. Throws Error{system} when it cannot be started, Error{usage} when the words are
  /// longer than 64 KiB, Error{input_file} for a run file that cannot be read.
  std::optional<PlayedRun> play(const std::vector<std::string>& words, const std::filesystem::path& run_file);

 private:
  GuardProcess& guard_;
  const Signals& signals_;
};

}  // namespace xrunlab
