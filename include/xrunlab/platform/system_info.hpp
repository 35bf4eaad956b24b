// Describes the machine for the run file: kernel, preemption, CPU, limits, virtualization. Read once by main
// during set-up; what cannot be read stays empty, nothing throws.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

SystemInfo describe_system(const SysRoot& root = SysRoot());

/// The kernel's preemption model: "rt", "full", "voluntary", "none", "none or voluntary" (when only the
/// kernel's configuration could tell and it is not there), or with PREEMPT_DYNAMIC, which chooses at boot,
/// "full (dynamic)" and so on, "unknown (dynamic)" where neither debugfs, command line nor configuration
/// tells.
std::string describe_preemption(const SysRoot& root = SysRoot());

}  // namespace xrunlab
