// The files of /dev/shm that processes have mapped or open, so that they can be removed when these were
// killed before they could do it themselves. Used by the guard process and by whoever starts a program that
// makes such files.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// What `top` and its descendants have mapped or open below /dev/shm, of the names that are still there; less
/// what any other process has too, and less JACK's registry, which all of its servers share and none removes.
/// As it is at this moment; empty when there is nothing, or no such process.
std::vector<std::filesystem::path> shared_memory_of_tree(pid_t top, const SysRoot& root = SysRoot(""));

}  // namespace xrunlab
