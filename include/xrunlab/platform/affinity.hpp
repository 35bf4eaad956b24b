// Which CPUs each thread may run on: parses --affinity, checks it against the machine and pins the calling
// thread. main checks before it starts threads; each thread pins itself.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// CPUs by the thread's name ("playback", "reader", "decoder", "collector"); threads without an entry
/// stay free.
using AffinityPlan = std::map<std::string, std::vector<int>, std::less<>>;

/// "playback=1,reader=0", "reader=2-3"; several CPUs are joined by + ("playback=1+3"). Throws Error{usage}.
AffinityPlan parse_affinity(std::string_view option, std::string_view text);

/// Throws Error{usage} for a CPU that is not present, is offline, or on which this process may not run
/// (taskset, cpuset).
void check_affinity(const AffinityPlan& plan, const SysRoot& root = SysRoot());

/// Binds the calling thread to `cpus`; an empty list leaves it free. Throws Error{usage} when the kernel
/// refuses.
void pin_calling_thread(const std::vector<int>& cpus);

}  // namespace xrunlab
