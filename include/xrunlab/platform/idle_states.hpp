// The idle states of the CPUs, as cpuidle shows them in /sys: how long each takes to leave, and whether it is
// allowed. Used by the checks of the machine; set-up code, any thread.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/model/doctor_facts.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// "intel_idle", "acpi_idle", "psci_idle", "none"; "" without cpuidle.
std::string idle_driver(const SysRoot& root = SysRoot());

/// Those that some CPU may enter, each name once with its longest exit, the shortest first; an exit that
/// cannot be read, −1, before all. What /dev/cpu_dma_latency forbids at the moment counts as allowed.
std::vector<IdleState> allowed_idle_states(const SysRoot& root = SysRoot());

}  // namespace xrunlab
