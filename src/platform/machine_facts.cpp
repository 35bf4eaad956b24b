#include "xrunlab/platform/machine_facts.hpp"

#include <algorithm>
#include <set>

#include "xrunlab/platform/account_files.hpp"
#include "xrunlab/platform/container.hpp"
#include "xrunlab/platform/control_group.hpp"
#include "xrunlab/platform/device_access.hpp"
#include "xrunlab/platform/idle_states.hpp"
#include "xrunlab/platform/irq_threads.hpp"
#include "xrunlab/platform/kernel_config.hpp"
#include "xrunlab/platform/limits.hpp"
#include "xrunlab/platform/limits_files.hpp"
#include "xrunlab/platform/machine_usage.hpp"
#include "xrunlab/platform/mount_table.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/queue_settings.hpp"
#include "xrunlab/platform/realtime_refusal.hpp"
#include "xrunlab/platform/system_info.hpp"

namespace xrunlab {
namespace {

constexpr const char* kAudioGroup = "audio";

std::optional<ProcessRights> read_process(const SysRoot& root) {
  // linux/capability.h
  constexpr int kCapIpcLock = 14;
  constexpr int kCapSysAdmin = 21;
  constexpr int kCapSysNice = 23;
  constexpr int kCapSysResource = 24;
  const auto user = effective_user(root);
  if (!user) return std::nullopt;
  ProcessRights rights;
  rights.uid = *user;
  rights.user = user_name(*user, root);
  if (rights.user.empty()) rights.user = "user " + std::to_string(*user);
  rights.in_audio_group = process_is_in_group(kAudioGroup, root);
  rights.may_be_realtime = has_capability(kCapSysNice, root);
  rights.may_lock_memory = has_capability(kCapIpcLock, root);
  rights.may_exceed_limits = has_capability(kCapSysResource, root);
  const auto groups = process_groups(root);
  const auto uring_group = root.read_integer("/proc/sys/kernel/io_uring_group").value_or(-1);
  rights.may_use_any_uring = has_capability(kCapSysAdmin, root) ||
                             std::find(groups.begin(), groups.end(), uring_group) != groups.end();
  const std::string status = root.read("/proc/self/status").value_or("");
  if (const auto mode = leading_number(value_of(status, "Seccomp").value_or("")))
    rights.seccomp_mode = static_cast<int>(*mode);
  return rights;
}

void read_limits_setting(RightsFacts& rights, const SysRoot& root) {
  const auto lines = read_limits_lines(root);
  std::set<std::string> files;
  for (const LimitsLine& line : lines) files.insert(line.file);
  rights.limits_files = static_cast<int>(files.size());
  rights.limits_flaws = find_limits_flaws(lines, root);
}

RightsFacts read_rights(const SysRoot& root) {
  RightsFacts rights;
  rights.process = read_process(root);
  rights.rtprio = find_limit("Max realtime priority", root);
  rights.rttime_us = find_limit("Max realtime timeout", root);
  rights.memlock_bytes = find_limit("Max locked memory", root);
  rights.nofile = find_limit("Max open files", root);
  rights.nr_open = root.read_integer("/proc/sys/fs/nr_open");
  const bool realtime = rights.process && rights.process->may_be_realtime;
  if (!realtime && rights.rtprio && rights.rtprio->hard == 0)
    rights.realtime_refusal = explain_realtime_refusal(root);
  read_limits_setting(rights, root);
  rights.has_audio_group = group_id(kAudioGroup, root).has_value();
  rights.listed_in_audio_group = rights.process && group_lists(kAudioGroup, rights.process->user, root);
  rights.sound_devices = sound_device_access(root);
  rights.dma_latency = device_access("/dev/cpu_dma_latency", Opening::to_write, root);
  rights.rtc = device_access("/dev/rtc", Opening::to_read, root);
  if (rights.rtc == DeviceAccess::absent) rights.rtc = device_access("/dev/rtc0", Opening::to_read, root);
  rights.rtc_user_hz = root.read_integer("/sys/class/rtc/rtc0/max_user_freq");
  if (!rights.rtc_user_hz) rights.rtc_user_hz = root.read_integer("/proc/sys/dev/rtc/max-user-freq");
  return rights;
}

std::optional<KernelVersion> kernel_version(const SysRoot& root) {
  const std::string release = root.read("/proc/sys/kernel/osrelease").value_or("");
  const auto parts = split_at(release, '.');
  const auto major = number_at(parts, 0);
  const auto minor = number_at(parts, 1);
  if (!major || !minor) return std::nullopt;
  return KernelVersion{*major, *minor, number_at(parts, 2).value_or(0)};
}

/// A group has the file only where the controller is on for it: only then is it more than a name.
std::optional<GroupShare> unified_group(const std::vector<std::string>& directories, const SysRoot& root) {
  for (const std::string& directory : directories) {
    if (root.exists(directory + "/cpu.weight")) return GroupShare{directory, std::nullopt};
  }
  return std::nullopt;
}

void read_group_share(KernelFacts& kernel, const SysRoot& root) {
  const auto directories = control_group_directories("cpu", root);
  if (!directories.empty()) {
    const std::string& own = directories.front();
    if (const auto runtime = root.read_integer(own + "/cpu.rt_runtime_us")) {
      kernel.has_rt_groups = true;
      kernel.group_share = GroupShare{own, runtime};
      return;
    }
    // Version 1 with the controller, and without that file.
    if (root.exists(own + "/cpu.shares")) kernel.has_rt_groups = false;
  }
  const KernelConfig config(root);
  if (!config.known()) return;
  kernel.has_rt_groups = config.has("CONFIG_RT_GROUP_SCHED=y");
  if (*kernel.has_rt_groups) kernel.group_share = unified_group(directories, root);
}

KernelFacts read_kernel(const SysRoot& root) {
  KernelFacts kernel;
  kernel.version = kernel_version(root);
  kernel.cmdline_read = root.read("/proc/cmdline").has_value();
  kernel.cpuinfo_read = !root.read("/proc/cpuinfo").value_or("").empty();
  kernel.rt_runtime_us = root.read_integer("/proc/sys/kernel/sched_rt_runtime_us");
  kernel.rt_period_us = root.read_integer("/proc/sys/kernel/sched_rt_period_us");
  read_group_share(kernel, root);
  kernel.processes_listed = kernel_threads_listed(root);
  kernel.irq_threads = read_irq_threads(root);
  const std::string sources =
      root.read("/sys/devices/system/clocksource/clocksource0/available_clocksource").value_or("");
  for (const std::string_view source : split_words(sources)) kernel.clocksources.emplace_back(source);
  kernel.usage = sample_machine_usage(root);
  return kernel;
}

/// The file system at /dev/shm or, where that is a link as on older systems, at its end; "" without one.
std::string shared_memory_filesystem(const std::vector<Mount>& mounts, const SysRoot& root) {
  const std::string path = root.read_link("/dev/shm").value_or("/dev/shm");
  const auto mount = longest_mount(mounts, path);
  if (!mount || (mount->point != path && !root.exists(path))) return "";
  return mount->filesystem;
}

MemoryFacts read_memory(const SysRoot& root) {
  MemoryFacts memory;
  memory.swappiness = root.read_integer("/proc/sys/vm/swappiness");
  // A heading, then a line for each.
  if (const auto swaps = root.read("/proc/swaps")) memory.has_swap = split_at(*swaps, '\n').size() > 1;
  // The mode in use is in brackets, as a disk's scheduler is.
  memory.huge_pages = active_scheduler(root.read("/sys/kernel/mm/transparent_hugepage/enabled").value_or(""));
  const auto mounts = read_mounts(root);
  memory.mounts_read = !mounts.empty();
  memory.shared_memory_filesystem = shared_memory_filesystem(mounts, root);
  return memory;
}

/// " 0 [PCH            ]: HDA-Intel - HDA Intel PCH" for each card.
std::optional<std::vector<std::string>> cards_in_kernel(const SysRoot& root) {
  const auto text = root.read("/proc/asound/cards");
  if (!text) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string_view line : split_at(*text, '\n')) {
    const auto open = line.find('[');
    const auto words = split_words(line.substr(open == std::string_view::npos ? line.size() : open + 1));
    if (leading_number(line.substr(std::min(line.find_first_not_of(' '), line.size()))) && !words.empty())
      names.push_back("hw:" + std::string(words.front().substr(0, words.front().find(']'))));
  }
  return names;
}

}  // namespace

DoctorFacts read_machine_facts(const FileLocation& directory, const SysRoot& root) {
  DoctorFacts facts;
  facts.system = describe_system(root);
  facts.rights = read_rights(root);
  facts.kernel = read_kernel(root);
  facts.power = {idle_driver(root), allowed_idle_states(root)};
  facts.memory = read_memory(root);
  facts.uring.disabled = root.read_integer("/proc/sys/kernel/io_uring_disabled");
  facts.disk = describe_disks(directory, root);
  facts.cards.in_kernel = cards_in_kernel(root);
  return facts;
}

}  // namespace xrunlab
