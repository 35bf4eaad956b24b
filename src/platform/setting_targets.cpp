#include "xrunlab/platform/setting_targets.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace xrunlab {
namespace {

constexpr std::string_view kCpufreq = "/sys/devices/system/cpu/cpufreq";

[[noreturn]] void fail_without_target(const SettingValue& setting, const std::string& reason) {
  throw Error(ExitCode::system, setting.key + " has nothing to act on: " + reason,
              "leave it out, or choose files on a disk");
}

/// The NAME between two parts of a path, when that is all there is between them.
std::string name_between(std::string_view path, std::string_view before, std::string_view behind) {
  if (path.size() <= before.size() + behind.size() || !path.starts_with(before) || !path.ends_with(behind)) {
    return "";
  }
  const auto name = path.substr(before.size(), path.size() - before.size() - behind.size());
  return is_plain_name(name) ? std::string(name) : "";
}

SettingOwner read_ahead_owner(const SettingValue& setting, const std::string& path) {
  if (auto disk = name_between(path, "/sys/class/block/", "/queue/read_ahead_kb"); !disk.empty()) {
    return {SettingArea::queue, std::move(disk)};
  }
  if (auto bdi = name_between(path, "/sys/class/bdi/", "/read_ahead_kb"); !bdi.empty()) {
    return {SettingArea::bdi, std::move(bdi)};
  }
  fail_without_target(setting, path + " is no file of a read-ahead");
}

std::vector<SettingOwner> read_ahead_owners(const SettingValue& setting, const SettingTargets& targets) {
  std::vector<SettingOwner> owners;
  for (const std::string& path : targets.read_ahead_files) owners.push_back(read_ahead_owner(setting, path));
  if (owners.empty()) {
    fail_without_target(setting, targets.no_disk_reason.empty()
                                     ? "the file system has no read-ahead of its own"
                                     : targets.no_disk_reason);
  }
  return owners;
}

std::vector<SettingOwner> disks_of(const SettingValue& setting, const SettingTargets& targets) {
  std::vector<SettingOwner> owners;
  for (const std::string& disk : targets.disks) owners.push_back({SettingArea::queue, disk});
  if (owners.empty()) {
    fail_without_target(setting, targets.no_disk_reason.empty() ? "no block device" : targets.no_disk_reason);
  }
  return owners;
}

std::vector<SettingOwner> policies_of(const SettingValue& setting, const SysRoot& root) {
  std::vector<SettingOwner> owners;
  for (const std::string& name : root.list(kCpufreq)) {
    if (name.starts_with("policy") && is_plain_name(name)) owners.push_back({SettingArea::cpufreq, name});
  }
  if (owners.empty()) fail_without_target(setting, "this machine has no cpufreq");
  return owners;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// What the kernel would take instead, as a clause; "" when it does not say.
std::string choices(const SettingFile& file, const SettingFiles& files) {
  const std::string directory = owner_directory(file.owner);
  const SysRoot& root = files.root();
  if (file.owner.area == SettingArea::cpufreq) {
    return "it offers " + root.read(directory + "/scaling_available_governors").value_or("nothing");
  }
  if (!file.scheduler.empty() || file.owner.area != SettingArea::queue) return "";
  if (file.name == "scheduler") {
    const std::vector<std::string> disks{file.owner.name};
    return "it offers " + joined(scheduler_choices(disks, root));
  }
  if (file.name == "max_sectors_kb") {
    return "at most its max_hw_sectors_kb, " +
           root.read(directory + "/max_hw_sectors_kb").value_or("unknown");
  }
  return "";
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

SettingTargets targets_of(const DiskData& disks) {
  SettingTargets targets;
  for (const FileStorage& file : disks.files) {
    for (const std::string& disk : file.schedule_at) add_once(targets.disks, disk);
    if (!file.read_ahead_file.empty()) add_once(targets.read_ahead_files, file.read_ahead_file);
    if (targets.no_disk_reason.empty()) targets.no_disk_reason = file.reason;
  }
  return targets;
}

std::vector<SettingOwner> owners_of(const SettingValue& setting, const SettingTargets& targets,
                                    const SysRoot& root) {
  switch (place_of_setting(setting.key).value_or(SettingPlace::play_option)) {
    case SettingPlace::queue:
    case SettingPlace::iosched:
      return disks_of(setting, targets);
    case SettingPlace::read_ahead:
      return read_ahead_owners(setting, targets);
    case SettingPlace::vm:
      return {{SettingArea::vm, ""}};
    case SettingPlace::governor:
      return policies_of(setting, root);
    case SettingPlace::play_option:
      break;
  }
  return {};
}

std::vector<SettingFile> files_of(const SettingValue& setting, const SettingTargets& targets,
                                  const SettingFiles& files) {
  const auto place = place_of_setting(setting.key);
  const auto dot = setting.key.find('.');
  std::string name = dot == std::string::npos ? setting.key : setting.key.substr(dot + 1);
  if (place == SettingPlace::governor) name = "scaling_governor";
  std::vector<SettingFile> found;
  for (SettingOwner& owner : owners_of(setting, targets, files.root())) {
    std::string scheduler = place == SettingPlace::iosched ? files.active_scheduler_of(owner.name) : "";
    if (place == SettingPlace::iosched && scheduler.empty()) scheduler = "none";
    found.push_back({std::move(owner), std::move(scheduler), name});
  }
  return found;
}

Error refused_setting(const SettingFile& file, const std::string& value, int refusal,
                      const SettingFiles& files) {
  const std::string what =
      name_of(file.owner) + " does not take " + file.name + "=" + value + ": " + errno_text(refusal);
  if (refusal == EACCES || refusal == EPERM || refusal == EROFS) {
    return {ExitCode::system, what, "run as root, and outside a container"};
  }
  if (refusal == ENOENT && !file.scheduler.empty()) {
    const auto names = files.root().list(owner_directory(file.owner) + "/iosched");
    return {ExitCode::system,
            name_of(file.owner) + " has no iosched." + file.name + ": its scheduler is " + file.scheduler,
            names.empty() ? "which has no settings" : "whose settings are " + joined(names)};
  }
  const std::string offered = choices(file, files);
  const std::string now = "it is " + files.read(file).value_or("not readable") + " now";
  return {ExitCode::system, what, offered.empty() ? now : offered + "; " + now};
}

}  // namespace xrunlab
