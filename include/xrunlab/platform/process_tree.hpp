// Which processes descend from one, what they have used, and how to end them all. Used by the guard process
// and by whoever reports what a load achieved.
#pragma once

#include <sys/types.h>

#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// Processes whose parent is `parent`, zombies included.
std::vector<pid_t> children_of(pid_t parent, const SysRoot& root = SysRoot(""));

/// `top` and all that descend from it, zombies included; empty when there is no such process.
std::vector<pid_t> processes_of_tree(pid_t top, const SysRoot& root = SysRoot(""));

/// What a process and its descendants have used so far, those that have ended and were waited for included.
struct TreeUsage {
  int processes = 0;         ///< that run now
  Nanoseconds cpu{};         ///< CPU time, in steps of the kernel's clock tick
  Bytes device_read = 0;     ///< asked of block devices, page cache left out
  Bytes device_written = 0;  ///< caused to be written, when the pages became dirty
};
TreeUsage usage_of_tree(pid_t top, const SysRoot& root = SysRoot(""));

/// Kills and waits until the calling process has no child left. It must be a subreaper
/// (PR_SET_CHILD_SUBREAPER) with one thread: orphans then become its children, so that nothing escapes.
/// Blocks while the kernel holds one of them.
void kill_descendants() noexcept;

}  // namespace xrunlab
