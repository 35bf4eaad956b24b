// The control groups that this process is in, version 1 and 2 alike, and the settings of a group. Used to
// find out what limits the process: memory, real-time run time, a systemd service. Set-up code, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// The path of this process's group ("/user.slice/…") in the hierarchy that has `controller` ("cpu",
/// "memory"), or of the unified or systemd hierarchy for "". Nothing when there is none.
std::optional<std::string> control_group_path(std::string_view controller, const SysRoot& root);

/// Directories of that group and of every group above it, the innermost first, as absolute paths below
/// /sys/fs/cgroup. Empty when there are none.
std::vector<std::string> control_group_directories(std::string_view controller, const SysRoot& root);

}  // namespace xrunlab
