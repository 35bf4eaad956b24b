#include "xrunlab/platform/realtime_refusal.hpp"

#include <optional>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/platform/account_files.hpp"
#include "xrunlab/platform/container.hpp"
#include "xrunlab/platform/control_group.hpp"
#include "xrunlab/platform/limits.hpp"
#include "xrunlab/platform/limits_files.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

bool has_sys_nice(const SysRoot& root) {
  constexpr int kCapSysNice = 23;  // linux/capability.h
  return has_capability(kCapSysNice, root);
}

std::optional<std::string> no_runtime_for_group(const SysRoot& root) {
  const auto directories = control_group_directories("cpu", root);
  if (directories.empty()) return std::nullopt;
  const auto runtime_us = root.read_integer(directories.front() + "/cpu.rt_runtime_us");
  if (!runtime_us || *runtime_us != 0) return std::nullopt;
  return "the kernel has RT_GROUP_SCHED and this control group has no real-time share; as root: echo 950000 "
         "> " +
         directories.front() +
         "/cpu.rt_runtime_us (its parents first), or boot with a kernel without RT_GROUP_SCHED";
}

std::optional<std::string> refused_by_container(const SysRoot& root) {
  const auto container = container_name(root);
  if (!container) return std::nullopt;
  return "this is a container (" + *container +
         ") without CAP_SYS_NICE; start it with --cap-add=SYS_NICE --ulimit rtprio=95";
}

std::optional<std::string> service_without_limit(const SysRoot& root) {
  const auto path = control_group_path("", root);
  if (!path || !path->ends_with(".service")) return std::nullopt;
  const std::string unit = base_name(*path);
  if (unit.starts_with("user@")) return std::nullopt;
  const std::string user = path->find("/user@") != std::string::npos ? "--user " : "";
  return "systemd gives the service " + unit + " no real-time priority; `systemctl " + user + "edit " + unit +
         "`: [Service] LimitRTPRIO=95, then restart it";
}

std::optional<std::string> misspelt_file(const SysRoot& root) {
  for (const LimitsLine& line : read_limits_lines(root)) {
    if (line.is_read || !sets_limit(line, "rtprio")) continue;
    return line.file +
           " sets rtprio but is not read, only names that end in .conf are; rename it to audio.conf and log "
           "in again";
  }
  return std::nullopt;
}

std::optional<std::string> setting_not_in_force(const SysRoot& root) {
  for (const LimitsLine& line : read_limits_lines(root)) {
    if (!line.is_read || !sets_limit(line, "rtprio")) continue;
    const std::string& who = line.words.front();
    if (who.starts_with('@') && !process_is_in_group(who.substr(1), root)) {
      return line.file + " gives rtprio to the group " + who.substr(1) +
             ", which this process is not in; usermod -aG " + who.substr(1) + " USER and log in again";
    }
    return line.file + " gives rtprio to " + who +
           ", but this login began without it (limit 0); log in again";
  }
  return std::nullopt;
}

}  // namespace

std::string explain_realtime_refusal(const SysRoot& root) {
  if (const auto cause = no_runtime_for_group(root)) return *cause;
  if (has_sys_nice(root)) {
    return "the process has CAP_SYS_NICE and was refused all the same: a seccomp filter, or a control group "
           "of a "
           "kernel with RT_GROUP_SCHED";
  }
  if (read_limit("Max realtime priority", root).soft > 0) {
    return "the limit allows it and it was refused all the same: a seccomp filter, or a control group of a "
           "kernel "
           "with RT_GROUP_SCHED";
  }
  for (const auto look : {refused_by_container, service_without_limit, misspelt_file, setting_not_in_force}) {
    if (const auto cause = look(root)) return *cause;
  }
  return "the limit is 0 (RLIMIT_RTPRIO); put \"@audio - rtprio 95\" and \"@audio - memlock unlimited\" into "
         "/etc/security/limits.d/audio.conf, join the group audio and log in again";
}

std::string throttling_of(double share, const SysRoot& root) {
  const auto runtime = root.read_integer("/proc/sys/kernel/sched_rt_runtime_us");
  const auto period = root.read_integer("/proc/sys/kernel/sched_rt_period_us");
  if (!runtime || !period || *runtime < 0 || *period <= 0) return {};
  const double left = static_cast<double>(*runtime) / static_cast<double>(*period);
  if (share < left) return {};
  return "computing takes " + fixed(share * 100, 0) +
         " % of the time, but the kernel leaves real-time threads " + fixed(left * 100, 0) +
         " % of it (kernel.sched_rt_runtime_us): it holds them up, which is lateness too";
}

}  // namespace xrunlab
