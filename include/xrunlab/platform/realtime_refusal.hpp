// Why the kernel refuses a real-time policy (EPERM), as far as the machine's files tell: the likeliest cause
// and what mends it, used by scheduling when it was refused; and what it does with a thread that wants too
// much.
#pragma once

#include <string>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// One line: the cause, then the remedy behind a colon or semicolon. It looks, in this order, at the
/// real-time share of the control group (RT_GROUP_SCHED), a container without CAP_SYS_NICE, a systemd service
/// without LimitRTPRIO=, a misspelt file in /etc/security/limits.d, a setting that this login does not have
/// yet, and no setting at all.
std::string explain_realtime_refusal(const SysRoot& root = SysRoot());

/// What happens to a real-time thread that wants this share of a CPU: the kernel takes what
/// kernel.sched_rt_runtime_us leaves of each period from it. One line; empty when it leaves enough, or does
/// not say.
std::string throttling_of(double share, const SysRoot& root = SysRoot());

}  // namespace xrunlab
