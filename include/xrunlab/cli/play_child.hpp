// One run of `play` in a process of its own, so that nothing of an earlier run is left in it and none
// outlives xrunlab; and the command of sweep's --prepare. Used by `sweep` and `capacity` on the main thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/guard_process.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

struct ChildRun {
  bool interrupted = false;  ///< a signal came, and the process was ended
  int exit_code = 0;
  std::string errors;          ///< what it printed on stderr
  std::optional<RunData> run;  ///< absent when it wrote no run file
};

class PlayChild {
 public:
  /// `looking`: called some times a second while a run goes on; may be empty.
  PlayChild(GuardProcess& guard, const Signals& signals, std::function<void()> looking = {});

  /// `xrunlab play` with these arguments and `draft` as its run file, which is gone afterwards. Throws
  /// Error{system} when it cannot be started.
  ChildRun play(const std::vector<std::string>& words, const std::filesystem::path& draft);

  /// The command by sh, its output on our stderr. Throws as play().
  ChildRun prepare(const std::string& command);

 private:
  ChildRun wait_for(ProgramId program);

  GuardProcess& guard_;
  const Signals& signals_;
  std::function<void()> looking_;
};

}  // namespace xrunlab
