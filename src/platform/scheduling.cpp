#include "xrunlab/platform/scheduling.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/platform/realtime_refusal.hpp"

namespace xrunlab {
namespace {

int kernel_policy(SchedPolicy policy) noexcept {
  switch (policy) {
    case SchedPolicy::fifo:
      return SCHED_FIFO;
    case SchedPolicy::round_robin:
      return SCHED_RR;
    case SchedPolicy::other:
      break;
  }
  return SCHED_OTHER;
}

int set_calling_thread(SchedPolicy policy, int priority) noexcept {
  const sched_param parameters{priority};
  return ::sched_setscheduler(0, kernel_policy(policy), &parameters) == 0 ? 0 : errno;
}

/// The highest priority that RLIMIT_RTPRIO gives, its soft value raised to the hard one first.
int priority_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_RTPRIO, &limit) != 0) return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (::setrlimit(RLIMIT_RTPRIO, &raised) == 0) limit = raised;
  }
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 99));
}

void warn_of_rttime(SchedResult& result) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_RTTIME, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  result.warnings.push_back(
      "real-time CPU time without a wait is limited to " + std::to_string(limit.rlim_cur) +
      " us (RLIMIT_RTTIME): a longer burst ends in SIGXCPU; `ulimit -R unlimited` lifts it");
}

void refuse(std::string_view option, std::string_view text) {
  throw Error(ExitCode::usage, std::string(option) + ": '" + std::string(text) +
                                   "' is not a priority: write f:1 to f:99, r:1 to r:99, or o");
}

}  // namespace

SchedSpec parse_sched_spec(std::string_view option, std::string_view text) {
  if (text == "o" || text == "o:0") return {};
  const bool known = text.starts_with("f:") || text.starts_with("r:");
  if (!known) refuse(option, text);
  const SchedPolicy policy = text.front() == 'f' ? SchedPolicy::fifo : SchedPolicy::round_robin;
  return {policy, static_cast<int>(parse_integer(option, text.substr(2), 1, 99))};
}

std::string to_string(SchedSpec spec) {
  if (spec.policy == SchedPolicy::other) return "o";
  return (spec.policy == SchedPolicy::fifo ? "f:" : "r:") + std::to_string(spec.priority);
}

std::string_view policy_name(SchedPolicy policy) noexcept {
  switch (policy) {
    case SchedPolicy::fifo:
      return "SCHED_FIFO";
    case SchedPolicy::round_robin:
      return "SCHED_RR";
    case SchedPolicy::other:
      break;
  }
  return "SCHED_OTHER";
}

SchedResult current_scheduling(pid_t thread) {
  SchedResult result;
  const int policy = ::sched_getscheduler(thread) & ~SCHED_RESET_ON_FORK;
  sched_param parameters{};
  ::sched_getparam(thread, &parameters);
  result.priority = parameters.sched_priority;
  result.policy = policy == SCHED_BATCH  ? "SCHED_BATCH"
                  : policy == SCHED_IDLE ? "SCHED_IDLE"
                                         : "policy " + std::to_string(policy);
  for (const SchedPolicy known : {SchedPolicy::other, SchedPolicy::fifo, SchedPolicy::round_robin}) {
    if (kernel_policy(known) == policy) result.policy = policy_name(known);
  }
  return result;
}

SchedResult apply_scheduling(SchedSpec spec, const SysRoot& root) {
  std::vector<std::string> warnings;
  int error = set_calling_thread(spec.policy, spec.priority);
  if (error == EPERM && spec.policy != SchedPolicy::other) {
    const int granted = std::min(spec.priority, priority_limit());
    const int retried = granted > 0 ? set_calling_thread(spec.policy, granted) : EPERM;
    if (retried == 0 && granted < spec.priority) {
      warnings.push_back("priority " + std::to_string(spec.priority) + " lowered to " +
                         std::to_string(granted) +
                         ", the limit of this login (RLIMIT_RTPRIO); \"@audio - rtprio 95\" in "
                         "/etc/security/limits.d/audio.conf and a new login raise it");
    }
    error = retried;
  }
  if (error != 0) {
    const std::string cause = error == EPERM ? explain_realtime_refusal(root) : errno_text(error);
    warnings.push_back("no " + std::string(policy_name(spec.policy)) + " priority " +
                       std::to_string(spec.priority) + ": " + cause);
  }
  SchedResult result = current_scheduling();
  result.warnings = std::move(warnings);
  result.as_asked = result.policy == policy_name(spec.policy) && result.priority == spec.priority;
  if (result.policy == "SCHED_FIFO" || result.policy == "SCHED_RR") warn_of_rttime(result);
  return result;
}

}  // namespace xrunlab
