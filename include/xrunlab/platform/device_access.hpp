// Whether this process may open a device, without opening it. Used by the checks of the machine; set-up code,
// any thread.
#pragma once

#include <string_view>

#include "xrunlab/model/doctor_facts.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

enum class Opening { to_read, to_write };

/// On the machine itself by what the kernel says, access lists included; under a fake root by owner, group,
/// mode and the capabilities of its /proc/self/status.
DeviceAccess device_access(std::string_view device, Opening opening, const SysRoot& root = SysRoot());

/// The PCMs that play, /dev/snd/pcmC0D0p: granted when one of them is.
DeviceAccess sound_device_access(const SysRoot& root = SysRoot());

}  // namespace xrunlab
