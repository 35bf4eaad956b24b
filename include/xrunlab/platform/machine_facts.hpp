// Reads all that `xrunlab doctor` judges from the files of a machine, in one place. Called by main; what is
// not there stays absent, nothing throws for it.
#pragma once

#include "xrunlab/model/doctor_facts.hpp"
#include "xrunlab/platform/block_device.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// The facts about this login, the kernel and the disks of `directory`. What only a device can answer is
/// left to the caller: CardFacts::asked, and UringFacts::tried with what follows it.
DoctorFacts read_machine_facts(const FileLocation& directory, const SysRoot& root = SysRoot());

}  // namespace xrunlab
