// Starts other programs so that they are gone when xrunlab is, even after kill -9: a process of its own,
// forked before there is any thread, starts them on request and waits at a socket whose other end only
// xrunlab holds. When that closes it kills until no descendant is left, removes what was listed and what they
// alone had in /dev/shm, and ends. Used by main for loads, JACK servers and whatever else must not outlive a
// run.
//
// PR_SET_PDEATHSIG would not do: it fires when the forking thread ends, and grandchildren do not inherit it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// A program to be started: SCHED_OTHER whatever xrunlab runs with, a session of its own, no signal blocked
/// or ignored, no descriptor but those named here.
struct ProgramStart {
  std::vector<std::string> argv;         ///< argv[0] is looked for in PATH, unless it holds a slash
  std::string program;                   ///< what is run, when it is not to be argv[0]
  std::filesystem::path directory;       ///< to run in; empty: the present one
  std::vector<std::string> environment;  ///< NAME=VALUE, added to the present one
  int in = -1;                           ///< descriptors for stdin, stdout and stderr; −1: /dev/null
  int out = -1;
  int err = -1;
  std::filesystem::path log;  ///< takes stdout and stderr where these are −1; written anew. Empty: none
  std::vector<int> handed;    ///< become 3, 4, … in the program
  int oom_score_adj = 0;      ///< 1000: the first to be killed when memory runs out
  /// From SIGTERM until what is left is killed, when it is stopped.
  Nanoseconds patience = std::chrono::seconds{1};
};

/// A program that was started, as its number: 0, 1, …
enum class ProgramId : int {};

struct ProgramState {
  bool alive = false;
  int exit_code = 0;  ///< when it is not: its own, or 128 + n after signal n
};

class GuardProcess {
 public:
  /// Forks. The calling process must have one thread only. Throws Error{system}.
  GuardProcess();
  GuardProcess(const GuardProcess&) = delete;
  GuardProcess& operator=(const GuardProcess&) = delete;

  /// Ends everything at once, as the death of xrunlab would, and waits for it (5 s at the most).
  ~GuardProcess();

  /// Returns when the program is about to run. Throws Error{system} when it cannot be run; Error{usage} when
  /// its command line is longer than 64 KiB.
  ProgramId start(const ProgramStart& start);

  /// Whether it still runs. Once the program itself has ended, whatever it left is killed; then it counts as
  /// ended.
  ProgramState state(ProgramId program);

  /// Why it no longer runs, or cannot be asked; "" while it does. `last_words` is called once it has ended,
  /// for what it printed last, which may be nothing: "it ended with exit code 3 (no such file)".
  std::string fault(ProgramId program, const std::function<std::string()>& last_words);

  /// SIGTERM to the program itself; when its patience has passed, or the program has ended, all of its
  /// descendants are killed. Waits until they are gone. What the kernel holds three seconds longer is left to
  /// the guard, and still alive.
  ProgramState stop(ProgramId program);

  /// The process at the top of all that belongs to the program (not the program itself): for usage_of_tree.
  /// 0 once it is known to have ended.
  pid_t top(ProgramId program) const;

  /// Removed, with all that is in it, when xrunlab is gone or this object is.
  void remove_at_end(const std::filesystem::path& path);

 private:
  struct Started {
    pid_t top = 0;
    Nanoseconds patience{};
  };

  UniqueFd socket_;
  pid_t guard_ = -1;
  std::vector<Started> started_;  ///< by ProgramId
};

}  // namespace xrunlab
