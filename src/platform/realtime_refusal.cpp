#include "xrunlab/platform/realtime_refusal.hpp"

#include <algorithm>
#include <optional>

#include "xrunlab/platform/container.hpp"
#include "xrunlab/platform/control_group.hpp"
#include "xrunlab/platform/limits.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kLimitsDirectory = "/etc/security/limits.d";

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

/// The lines with an rtprio setting, comments left out: "who type rtprio value".
std::vector<std::string> rtprio_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_at(text, '\n')) {
    const auto words = split_words(line.substr(0, line.find('#')));
    if (words.size() == 4 && words[2] == "rtprio") lines.emplace_back(words[0]);
  }
  return lines;
}

std::optional<std::string> misspelt_file(const SysRoot& root) {
  for (const std::string& name : root.list(kLimitsDirectory)) {
    if (name.ends_with(".conf")) continue;
    const std::string path = std::string(kLimitsDirectory) + "/" + name;
    if (rtprio_lines(root.read(path).value_or("")).empty()) continue;
    return path +
           " sets rtprio but is not read, only names that end in .conf are; rename it to audio.conf and log "
           "in again";
  }
  return std::nullopt;
}

/// The group's number in /etc/group.
std::optional<std::string> group_id(const std::string& group, const SysRoot& root) {
  const std::string text = root.read("/etc/group").value_or("");
  for (const std::string_view line : split_at(text, '\n')) {
    const auto fields = split_at(line, ':');
    if (fields.size() >= 3 && fields[0] == group) return std::string(fields[2]);
  }
  return std::nullopt;
}

bool is_member(const std::string& group, const SysRoot& root) {
  const auto id = group_id(group, root);
  const std::string status = root.read("/proc/self/status").value_or("");
  const auto groups = split_words(value_of(status, "Groups").value_or(""));
  return id && std::find(groups.begin(), groups.end(), *id) != groups.end();
}

std::optional<std::string> setting_not_in_force(const SysRoot& root) {
  std::vector<std::string> files = {"/etc/security/limits.conf"};
  for (const std::string& name : root.list(kLimitsDirectory)) {
    if (name.ends_with(".conf")) files.push_back(std::string(kLimitsDirectory) + "/" + name);
  }
  for (const std::string& file : files) {
    for (const std::string& who : rtprio_lines(root.read(file).value_or(""))) {
      if (who.starts_with('@') && !is_member(who.substr(1), root)) {
        return file + " gives rtprio to the group " + who.substr(1) +
               ", which this process is not in; usermod -aG " + who.substr(1) + " USER and log in again";
      }
      return file + " gives rtprio to " + who + ", but this login began without it (limit 0); log in again";
    }
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

}  // namespace xrunlab
