#include "xrunlab/platform/setting_effect.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/virtualization.hpp"

namespace xrunlab {
namespace {

const SettingValue* find_key(std::span<const SettingValue> combination, std::string_view key) {
  const auto found = std::find_if(combination.begin(), combination.end(),
                                  [key](const auto& setting) { return setting.key == key; });
  return found == combination.end() ? nullptr : &*found;
}

struct SchedulerSettings {
  std::string_view scheduler;
  std::string_view names;
};

// Of schedulers that are not active now, whose files are therefore not there to be looked at
// (Documentation/block of Linux 6.1).
constexpr std::array kSchedulerSettings{
    SchedulerSettings{"mq-deadline",
                      "async_depth fifo_batch front_merges prio_aging_expire read_expire write_expire "
                      "writes_starved"},
    SchedulerSettings{
        "bfq",
        "back_seek_max back_seek_penalty fifo_expire_async fifo_expire_sync low_latency max_budget "
        "slice_idle slice_idle_us strict_guarantees timeout_sync"},
    SchedulerSettings{"kyber", "read_lat_nsec write_lat_nsec"},
    SchedulerSettings{"none", ""},
};

/// Nothing when it cannot be known before the scheduler is active.
std::optional<bool> scheduler_has(std::string_view scheduler, std::string_view name) {
  for (const SchedulerSettings& one : kSchedulerSettings) {
    if (one.scheduler != scheduler) continue;
    const auto names = split_words(one.names);
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  return std::nullopt;
}

/// Linux 5.14 taught mq-deadline the classes of I/O priorities.
bool mq_deadline_knows_priorities(const SysRoot& root) {
  const std::string release = root.read("/proc/sys/kernel/osrelease").value_or("");
  const auto parts = split_at(release, '.');
  if (parts.size() < 2) return true;
  const auto major = leading_number(parts[0]).value_or(0);
  const auto minor = leading_number(parts[1]).value_or(0);
  return major == 0 || major > 5 || (major == 5 && minor >= 14);
}

/// One question: can this setting act, and if not, why?
class EffectCheck {
 public:
  EffectCheck(std::span<const SettingValue> combination, const SettingContext& context, const SysRoot& root)
      : combination_(combination), context_(context), root_(root), files_(root) {}

  /// "" when it can act.
  std::string reason(const SettingValue& setting) const {
    switch (place_of_setting(setting.key).value_or(SettingPlace::vm)) {
      case SettingPlace::queue:
        return of_queue(setting);
      case SettingPlace::iosched:
        return of_iosched(setting.key.substr(setting.key.find('.') + 1));
      case SettingPlace::read_ahead:
        return of_read_ahead();
      case SettingPlace::vm:
        return of_vm(setting.key);
      case SettingPlace::governor:
        return of_governor();
      case SettingPlace::play_option:
        break;
    }
    return of_io_priority(setting.value);
  }

  bool can_be_set(const SettingValue& setting) const {
    if (place_of_setting(setting.key) == SettingPlace::play_option) return true;
    try {
      const auto files = files_of(setting, context_.targets, files_);
      return !files.empty() && std::all_of(files.begin(), files.end(), [this](const SettingFile& file) {
        if (file.scheduler.empty()) return root_.is_writable(files_.path(file));
        return scheduler_has(scheduler_of(file.owner.name), file.name).value_or(true);
      });
    } catch (const Error&) {
      return false;
    }
  }

 private:
  /// The combination's own, else the active one.
  std::string scheduler_of(const std::string& disk) const {
    const SettingValue* const chosen = find_key(combination_, "scheduler");
    return chosen != nullptr ? chosen->value : files_.active_scheduler_of(disk);
  }

  std::string of_no_disk() const {
    if (!context_.targets.disks.empty()) return "";
    const std::string& why = context_.targets.no_disk_reason;
    return why.empty() ? "there is no block device" : why;
  }

  std::string of_queue(const SettingValue& setting) const {
    if (auto why = of_no_disk(); !why.empty()) return why;
    for (const std::string& disk : context_.targets.disks) {
      const std::string file = files_.path({{SettingArea::queue, disk}, "", setting.key});
      if (!root_.read(file)) return disk + " has no " + setting.key + ", or not one that can be read";
      // Of those to choose from the active one stands in brackets.
      if (setting.key == "scheduler" && root_.read(file)->find('[') == std::string::npos) {
        return disk + " has no scheduler to choose: it hands requests on";
      }
    }
    const bool one_cpu = root_.read("/sys/devices/system/cpu/online").value_or("") == "0";
    return setting.key == "rq_affinity" && one_cpu ? "there is but one CPU" : "";
  }

  std::string of_iosched(const std::string& name) const {
    if (auto why = of_no_disk(); !why.empty()) return why;
    for (const std::string& disk : context_.targets.disks) {
      const std::string scheduler = scheduler_of(disk);
      const bool active = scheduler == files_.active_scheduler_of(disk);
      const auto known =
          active ? std::optional(root_.exists("/sys/class/block/" + disk + "/queue/iosched/" + name))
                 : scheduler_has(scheduler, name);
      if (known.value_or(true)) continue;
      return disk + " has the scheduler " + (scheduler.empty() ? "none" : scheduler) + ", which has no " +
             name;
    }
    return "";
  }

  std::string of_read_ahead() const {
    if (context_.reads == ReadKind::direct) return "direct reads pass by the page cache and its read-ahead";
    if (!context_.targets.read_ahead_files.empty()) return "";
    const std::string& why = context_.targets.no_disk_reason;
    return why.empty() ? "the file system has no read-ahead of its own" : why;
  }

  std::string of_vm(std::string_view key) const {
    if (key == "vm.swappiness") {
      // The first line of /proc/swaps is a heading.
      const std::string swaps = root_.read("/proc/swaps").value_or("");
      return swaps.find('\n') == std::string::npos ? "there is no swap space" : "";
    }
    const bool is_bytes = key.ends_with("_bytes");
    if (!is_bytes && !key.ends_with("_ratio")) return "";
    const std::string other = std::string(key.substr(0, key.size() - 5)) + (is_bytes ? "ratio" : "bytes");
    return find_key(combination_, other) != nullptr ? "it and " + other + " switch each other off" : "";
  }

  std::string of_governor() const {
    const std::string machine = describe_virtualization(root_);
    const bool bare = machine == "none" || (machine.starts_with("container ") && !machine.ends_with(")"));
    if (!bare) return "this is a virtual machine (" + machine + "): its host decides about the clock";
    return root_.list("/sys/devices/system/cpu/cpufreq").empty() ? "this machine has no cpufreq" : "";
  }

  std::string of_io_priority(const std::string& priority) const {
    if (priority == "none") return "";
    if (auto why = of_no_disk(); !why.empty()) return why;
    for (const std::string& disk : context_.targets.disks) {
      const std::string scheduler = scheduler_of(disk);
      if (scheduler.empty() || scheduler == "none") return disk + " has no scheduler that could look at it";
      if (scheduler == "kyber") return disk + " has the scheduler kyber, which does not look at it";
      if (scheduler == "mq-deadline" && !mq_deadline_knows_priorities(root_)) {
        return disk + " has the scheduler mq-deadline, which looks at it only since Linux 5.14";
      }
    }
    return "";
  }

  std::span<const SettingValue> combination_;
  const SettingContext& context_;
  const SysRoot& root_;
  SettingFiles files_;
};

}  // namespace

std::vector<InertSetting> inert_settings(std::span<const SettingValue> combination,
                                         const SettingContext& context, const SysRoot& root) {
  const EffectCheck check(combination, context, root);
  std::vector<InertSetting> inert;
  for (const SettingValue& setting : combination) {
    const std::string why = check.reason(setting);
    if (why.empty()) continue;
    inert.push_back(
        {setting.key, setting.key + "=" + setting.value + " cannot act: " + why, check.can_be_set(setting)});
  }
  return inert;
}

}  // namespace xrunlab
