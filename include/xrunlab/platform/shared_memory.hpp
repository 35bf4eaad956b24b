// The files of /dev/shm that processes have mapped or open, so that they can be removed when these were
// killed before they could do it themselves. Used by the guard process and by whoever starts a program that
// makes such files.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// What `top` and its descendants have mapped or open below /dev/shm at this moment, of the names that are
/// still there; and what is named there after one of them ("xrunlab-PID", as JACK's sockets are). Empty when
/// there is nothing, or no such process.
std::vector<std::filesystem::path> shared_memory_of_tree(pid_t top, const SysRoot& root = SysRoot(""));

/// Those of `paths` that no process has mapped: names are used again by others.
std::vector<std::filesystem::path> unmapped(const std::vector<std::filesystem::path>& paths,
                                            const SysRoot& root = SysRoot(""));

/// Removes those of `paths` that no process has mapped, and directories below /dev/shm that are then empty.
void remove_unmapped(const std::vector<std::filesystem::path>& paths) noexcept;

}  // namespace xrunlab
