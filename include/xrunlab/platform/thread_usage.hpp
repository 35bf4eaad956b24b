// What the calling thread has used so far: CPU time, page faults, switches, and the time it was ready to run
// but had no CPU. Each thread samples itself when its work begins and when it ends; the difference goes into
// the run file. Not real-time: it reads a file.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

struct ThreadUsage {
  Nanoseconds at{};      ///< when, CLOCK_MONOTONIC
  Nanoseconds cpu{};     ///< user and system, CLOCK_THREAD_CPUTIME_ID: exact
  Nanoseconds user{};    ///< getrusage: user and system are told apart by timer ticks, so only
  Nanoseconds system{};  ///< their ratio is used, and only over many ticks does it mean something
  std::int64_t major_faults = 0;
  std::int64_t minor_faults = 0;
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::optional<Nanoseconds> run_delay;  ///< /proc/thread-self/schedstat, absent without it
};

/// Of the calling thread, since it was started.
ThreadUsage sample_thread_usage(const SysRoot& root = SysRoot());

/// Of another thread of this process, one that a library made, by what /proc tells; nothing when there is
/// none.
std::optional<ThreadUsage> thread_usage_of(pid_t thread, const SysRoot& root = SysRoot());

/// From `before` to `after`. user_ns + system_ns is the exact CPU time, divided as getrusage divided its own.
ThreadData thread_data(std::string name, std::string policy, const ThreadUsage& before,
                       const ThreadUsage& after);

/// Adds what a thread used to that of the same name, which it follows; or appends it.
void add_thread_data(std::vector<ThreadData>& threads, const ThreadData& data);

}  // namespace xrunlab
