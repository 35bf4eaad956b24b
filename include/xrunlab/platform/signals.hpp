// Turns SIGINT, SIGTERM and SIGHUP into a flag and a descriptor that main waits on, ignores SIGPIPE, and
// answers SIGXCPU (a real-time thread that ran too long) with one explaining line. main holds one object;
// threads of class Thread never run its handlers, but for SIGXCPU.
#pragma once

#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/core/wake_event.hpp"

namespace xrunlab {

class Signals {
 public:
  /// Installs the handlers. Only one object may exist at a time. Throws Error{system} without a descriptor.
  /// SIGHUP stays ignored when it was (nohup). A second SIGINT, at least 0.3 s after the first signal, ends
  /// the process at once with 130, changed settings put back; an earlier one is taken for the same
  /// (timeout(1) sends each signal twice).
  Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Puts the previous handlers back.
  ~Signals();

  /// The first signal that asked for the end, 0 while there was none. SIGXCPU counts: its thread has been
  /// demoted to SCHED_OTHER, so that the run is no longer what was asked for.
  /// Thread: any. Real-time: wait-free.
  int caught() const noexcept;

  /// 128 + n for signal n, 3 for SIGXCPU, 0 while there was none.
  int exit_code() const noexcept;

  /// Becomes readable with the first signal, and stays so: for poll together with other things.
  int fd() const noexcept;

  /// Waits until a signal came, one of `other_fds` is readable (a negative one never is) or `timeout` has
  /// passed; true when a signal came.
  bool wait_for(Nanoseconds timeout, const std::vector<int>& other_fds = {}) const;

 private:
  WakeEvent wake_;
};

}  // namespace xrunlab
