// The checks of `xrunlab doctor`: pure functions from facts to findings. What a check looks at, its limits
// and where they come from stand in docs/doctor.md. Any thread.
#pragma once

#include <vector>

#include "xrunlab/model/doctor_facts.hpp"
#include "xrunlab/model/doctor_finding.hpp"

namespace xrunlab {

/// All of them, in the order of docs/doctor.md. A fact that is absent is never OK.
std::vector<DoctorFinding> check_machine(const DoctorFacts& facts);

/// Limits, groups, devices, io_uring: what this login may do.
std::vector<DoctorFinding> check_rights(const DoctorFacts& facts);

/// Preemption, interrupts, real-time run time, clock, virtual machine.
std::vector<DoctorFinding> check_kernel(const DoctorFacts& facts);

/// Governor and idle states, swap, huge pages, shared memory.
std::vector<DoctorFinding> check_power_and_memory(const DoctorFacts& facts);

/// File system, mount options and scheduler of the directory.
std::vector<DoctorFinding> check_storage(const DoctorFacts& facts);

/// Each playing device of the kernel's cards, and what it accepts.
std::vector<DoctorFinding> check_cards(const DoctorFacts& facts);

}  // namespace xrunlab
