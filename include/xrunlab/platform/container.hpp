// Whether this process runs in a container, and which capabilities it has. Read by whoever explains a refusal
// and by the machine's description.
#pragma once

#include <optional>
#include <string>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// "docker", "podman", "lxc", "systemd-nspawn", …; nothing outside a container.
std::optional<std::string> container_name(const SysRoot& root = SysRoot());

/// Whether the effective set has capability number `number` (linux/capability.h).
bool has_capability(int number, const SysRoot& root = SysRoot());

}  // namespace xrunlab
