// Scheduling policy and priority of a thread: parses -P, applies it to the calling thread and reads back what
// is in force. Being refused is no error here: the thread goes on and the result carries the warning. Each
// thread calls it for itself during set-up, before it is real-time.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

enum class SchedPolicy { other, fifo, round_robin };

struct SchedSpec {
  SchedPolicy policy = SchedPolicy::other;
  int priority = 0;  ///< 1 … 99, 0 with `other`
  friend bool operator==(SchedSpec, SchedSpec) = default;
};

/// "f:70", "r:20", "o", "o:0". Throws Error{usage} that names `option`.
SchedSpec parse_sched_spec(std::string_view option, std::string_view text);

/// As typed: "f:70", "o".
std::string to_string(SchedSpec spec);

/// "SCHED_FIFO", "SCHED_RR", "SCHED_OTHER".
std::string_view policy_name(SchedPolicy policy) noexcept;

/// What is in force after apply_scheduling.
struct SchedResult {
  std::string policy;  ///< read back; another one than the three above appears as "policy N"
  int priority = 0;
  bool as_asked = false;
  std::vector<std::string> warnings;  ///< one line each, with cause and remedy
};

/// Sets policy and priority of the calling thread; a priority above the limit is lowered to it. Never throws
/// for missing rights. Warns when RLIMIT_RTTIME would stop a real-time thread.
SchedResult apply_scheduling(SchedSpec spec, const SysRoot& root = SysRoot());

/// Policy and priority of a thread as they are, 0: the calling one; no warnings.
SchedResult current_scheduling(pid_t thread = 0);

}  // namespace xrunlab
