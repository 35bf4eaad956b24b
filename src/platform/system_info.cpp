#include "xrunlab/platform/system_info.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "xrunlab/platform/limits.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/virtualization.hpp"

namespace xrunlab {
namespace {

std::string cpu_model(const SysRoot& root) {
  const std::string text = root.read("/proc/cpuinfo").value_or("");
  // x86, ARM boards, PowerPC, RISC-V, in this order.
  for (const std::string_view key : {"model name", "Model", "Hardware", "cpu", "uarch"}) {
    if (const auto value = value_of(text, key)) return std::string(*value);
  }
  return root.read("/sys/firmware/devicetree/base/model").value_or("");
}

std::vector<int> online_cpus(const SysRoot& root) {
  return parse_cpu_list(root.read("/sys/devices/system/cpu/online").value_or(""))
      .value_or(std::vector<int>{});
}

/// Of those online: the kernel's list may name CPUs that the machine does not have.
std::string allowed_cpus(const SysRoot& root, const std::vector<int>& online) {
  const std::string status = root.read("/proc/self/status").value_or("");
  const auto allowed = parse_cpu_list(value_of(status, "Cpus_allowed_list").value_or("")).value_or(online);
  std::vector<int> both;
  std::set_intersection(online.begin(), online.end(), allowed.begin(), allowed.end(),
                        std::back_inserter(both));
  return format_cpu_list(both);
}

/// "performance", or all that are in use, joined by a comma. Kernels before 4.3 have them by CPU alone.
std::string governors(const SysRoot& root) {
  constexpr std::string_view kCpus = "/sys/devices/system/cpu";
  std::vector<std::string> directories;
  for (const std::string& policy : root.list(std::string(kCpus) + "/cpufreq"))
    directories.push_back("/cpufreq/" + policy);
  for (const std::string& cpu : root.list(kCpus)) directories.push_back("/" + cpu + "/cpufreq");
  std::vector<std::string> names;
  for (const std::string& directory : directories) {
    const auto name = root.read(std::string(kCpus) + directory + "/scaling_governor");
    if (name && std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::optional<std::int64_t> memory_bytes(const SysRoot& root) {
  const std::string text = root.read("/proc/meminfo").value_or("");
  const auto value = value_of(text, "MemTotal");
  if (!value) return std::nullopt;
  return std::strtoll(std::string(*value).c_str(), nullptr, 10) * 1024;
}

/// Independent of the locale, unlike strtod.
std::optional<double> uptime_seconds(const SysRoot& root) {
  std::istringstream text(root.read("/proc/uptime").value_or(""));
  text.imbue(std::locale::classic());
  double seconds = 0;
  text >> seconds;
  return text ? std::optional(seconds) : std::nullopt;
}

bool has_word(const std::string& text, std::string_view word) {
  const auto words = split_words(text);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Only what costs something or is open: "spectre_v2: Mitigation: Retpolines; …".
std::string mitigations(const SysRoot& root, const std::string& cmdline) {
  std::string text = has_word(cmdline, "mitigations=off") ? "off" : "";
  constexpr std::string_view kDirectory = "/sys/devices/system/cpu/vulnerabilities";
  for (const std::string& name : root.list(kDirectory)) {
    const auto state = root.read(std::string(kDirectory) + "/" + name);
    if (!state || *state == "Not affected") continue;
    text += (text.empty() ? "" : "; ") + name + ": " + *state;
  }
  return text.empty() && root.exists(kDirectory) ? "none needed" : text;
}

}  // namespace

SystemInfo describe_system(const SysRoot& root) {
  SystemInfo info;
  info.host = root.read("/proc/sys/kernel/hostname").value_or("");
  const std::string version = root.read("/proc/sys/kernel/version").value_or("");
  info.kernel = root.read("/proc/sys/kernel/osrelease").value_or("") + (version.empty() ? "" : " " + version);
  info.cmdline = root.read("/proc/cmdline").value_or("");
  info.preempt = describe_preemption(root);
  info.cpu_model = cpu_model(root);
  const auto online = online_cpus(root);
  if (!online.empty()) info.cpus = static_cast<int>(online.size());
  info.cpus_allowed = allowed_cpus(root, online);
  info.governor = governors(root);
  info.memory_bytes = memory_bytes(root);
  info.rtprio_limit = read_limit("Max realtime priority", root).soft;
  info.memlock_limit_bytes = read_limit("Max locked memory", root).soft;
  info.rt_runtime_us = root.read_integer("/proc/sys/kernel/sched_rt_runtime_us");
  info.boot_id = root.read("/proc/sys/kernel/random/boot_id").value_or("");
  info.uptime_s = uptime_seconds(root);
  info.virt = describe_virtualization(root);
  info.clocksource =
      root.read("/sys/devices/system/clocksource/clocksource0/current_clocksource").value_or("");
  info.mitigations = mitigations(root, info.cmdline);
  // PREEMPT_RT threads every interrupt that can be.
  info.threadirqs = has_word(info.cmdline, "threadirqs") || info.preempt == "rt";
  return info;
}

}  // namespace xrunlab
