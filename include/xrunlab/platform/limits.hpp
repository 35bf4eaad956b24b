// Resource limits of this process: open files are raised to what a run needs, memory is checked before the
// ring is allocated, real-time priority and locked memory are read. main calls it during set-up, before any
// other thread runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "xrunlab/core/units.hpp"
#include "xrunlab/model/resource_limit.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// A limit by its name in /proc/self/limits: "Max open files", "Max locked memory" (bytes), "Max realtime
/// priority", "Max realtime timeout" (microseconds). Nothing when it cannot be read.
std::optional<ResourceLimit> find_limit(std::string_view name, const SysRoot& root = SysRoot());

/// The same, unlimited when it cannot be read.
ResourceLimit read_limit(std::string_view name, const SysRoot& root = SysRoot());

/// Makes the soft limit of open files at least `needed`, as far as the rights go. Throws Error{system} with
/// the number and the setting when they do not go far enough.
void raise_open_files_limit(std::int64_t needed, const SysRoot& root = SysRoot());

/// Raises the soft limit of locked memory to the hard one, and returns what is in force.
ResourceLimit raise_locked_memory_limit();

/// Bytes that can be had without swapping: MemAvailable, or less when a control group's memory limit is
/// nearer. −1 when it cannot be read.
Bytes available_memory_bytes(const SysRoot& root = SysRoot());

/// Throws Error{system} when `needed` bytes for `purpose` ("the ring") are more than there are.
void check_memory_for(std::string_view purpose, Bytes needed, const SysRoot& root = SysRoot());

}  // namespace xrunlab
