// What the whole machine does while a run is measured: CPU time by kind, interrupts, context switches.
// Counters of /proc/stat, read by main before priming and after the run's end, never in between.
#pragma once

#include "xrunlab/model/usage.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// The counters since boot, wall_ns being the time of CLOCK_MONOTONIC. What the kernel does not tell is
/// absent.
MachineUsage sample_machine_usage(const SysRoot& root = SysRoot());

/// What was counted from `before` to `after`; absent what one of them lacks. Nothing when all is: no /proc.
std::optional<MachineUsage> machine_usage(const MachineUsage& before, const MachineUsage& after);

}  // namespace xrunlab
