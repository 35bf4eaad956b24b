// What kind of machine the kernel believes it runs on: a real one, a hypervisor's, a container. Part of the
// machine's description, since figures of a virtual machine say less.
#pragma once

#include <string>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// "none", "kvm", "qemu" (without KVM), "firecracker", "vmware", "virtualbox", "hyperv", "xen", "bhyve",
/// "vm" (an unknown hypervisor), or "container NAME", with the hypervisor in brackets when both are seen.
std::string describe_virtualization(const SysRoot& root = SysRoot());

}  // namespace xrunlab
