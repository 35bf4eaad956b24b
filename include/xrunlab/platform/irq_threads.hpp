// The kernel's threads that handle interrupts (PREEMPT_RT, or threadirqs), with their priorities, and which
// of them serve sound cards. Used by the checks of the machine; set-up code, any thread.
#pragma once

#include <vector>

#include "xrunlab/model/doctor_facts.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// Whether /proc shows the kernel's threads: in a container it does not.
bool kernel_threads_listed(const SysRoot& root = SysRoot());

/// By process number; empty when interrupts have no threads or they are not listed.
std::vector<IrqThread> read_irq_threads(const SysRoot& root = SysRoot());

}  // namespace xrunlab
