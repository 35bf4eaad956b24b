#include "xrunlab/platform/block_device.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/block_class.hpp"
#include "xrunlab/platform/mount_table.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

using Names = std::vector<std::string>;

void add_name(Names& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// stat would tell the real machine's number.
FileLocation locate_in_fake(const std::string& path, const char* resolved, const SysRoot& root) {
  if (resolved == nullptr && !(path.starts_with('/') && root.exists(path))) {
    throw Error(ExitCode::input_file, "cannot look at " + path + ": neither here nor in XRUNLAB_SYSROOT");
  }
  FileLocation location{resolved == nullptr ? path : resolved};
  const std::string device = path.starts_with("/dev/") ? device_by_node(path, root) : "";
  std::optional<DeviceNumber> number;
  if (!device.empty()) {
    number = parse_device_number(root.read(block_device_directory(device, root) + "/dev").value_or(""));
    location.is_device = number.has_value();
  } else if (const auto mount = longest_mount(read_mounts(root), location.path)) {
    number = DeviceNumber{mount->major, mount->minor};
  }
  if (number) std::tie(location.major, location.minor) = std::tie(number->major, number->minor);
  return location;
}

/// Its directory in sysfs; "" when that knows of none with such a member.
std::string btrfs_directory(const std::string& member, const SysRoot& root) {
  constexpr std::string_view kBtrfs = "/sys/fs/btrfs/";
  for (const std::string& uuid : root.list(kBtrfs)) {
    const std::string directory = std::string(kBtrfs) + uuid;
    if (root.exists(directory + "/devices/" + member)) return directory;
  }
  return "";
}

/// All of a btrfs of which one is known, that one first.
Names btrfs_members(const std::string& member, const SysRoot& root) {
  Names members{member};
  const std::string directory = btrfs_directory(member, root);
  if (directory.empty()) return members;
  for (const std::string& name : root.list(directory + "/devices")) {
    if (is_block_device(name, root)) add_name(members, name);
  }
  return members;
}

/// Of the file systems with an anonymous number, major 0, these have devices all the same. (The source of any
/// other, such as a tmpfs, is whatever was given to mount.)
bool names_its_devices(const std::string& filesystem) {
  return filesystem == "btrfs" || filesystem == "bcachefs";
}

Names devices_of_source(const Mount& mount, const SysRoot& root) {
  Names names;
  for (const std::string_view part : split_at(mount.source, ':')) {
    const std::string name = part.starts_with("/dev/") ? device_by_node(std::string(part), root) : "";
    if (name.empty()) continue;
    const Names members = mount.filesystem == "btrfs" ? btrfs_members(name, root) : Names{name};
    for (const std::string& member : members) add_name(names, member);
  }
  return names;
}

Names devices_of_file(const FileLocation& file, const std::optional<Mount>& mount, const SysRoot& root) {
  if (file.major != 0) {
    const std::string name = device_by_number(file.major, file.minor, root);
    if (!name.empty()) return {name};
  }
  const bool by_source = mount && (file.major != 0 || names_its_devices(mount->filesystem));
  return by_source ? devices_of_source(*mount, root) : Names{};
}

std::string reason_without_device(const FileLocation& file, const std::optional<Mount>& mount,
                                  const SysRoot& root) {
  constexpr const char* kMounts = "/proc/self/mountinfo";
  if (!mount && !file.is_device) {
    return root.exists(kMounts) ? std::string("no mount found for it in ") + kMounts
                                : root.path(kMounts) + " is not there";
  }
  if (file.major != 0) {
    return "block device " + std::to_string(file.major) + ":" + std::to_string(file.minor) +
           " is not in /sys (a container?)";
  }
  const std::string& type = mount ? mount->filesystem : "";
  const bool memory = type == "tmpfs" || type == "ramfs" || type == "rootfs" || type == "devtmpfs";
  return "no block device (" + type + (memory ? ", it lives in memory)" : ")");
}

/// btrfs and what has no device read ahead by themselves, other file systems as their disk's queue says.
std::string read_ahead_file(const FileLocation& file, const FileStorage& storage, const SysRoot& root) {
  std::string directory;
  if (storage.devices.empty()) {
    directory = "/sys/class/bdi/" + std::to_string(file.major) + ":" + std::to_string(file.minor);
  } else if (storage.filesystem == "btrfs") {
    const auto own = root.read_link(btrfs_directory(storage.devices.front(), root) + "/bdi");
    directory = "/sys/class/bdi/" + base_name(own.value_or(""));
  } else {
    directory = block_device_directory(disk_of(storage.devices.front(), root), root) + "/queue";
  }
  directory += "/read_ahead_kb";
  return root.is_regular_file(directory) ? directory : "";
}

FileStorage describe_file(const FileLocation& file, const std::vector<Mount>& mounts, const SysRoot& root) {
  FileStorage storage;
  storage.path = file.path;
  std::optional<Mount> mount;
  if (!file.is_device) mount = mount_of_file(mounts, file.path, file.major, file.minor);
  if (mount) {
    storage.filesystem = mount->filesystem;
    storage.mount_point = mount->point;
    storage.mount_source = mount->source;
    storage.mount_options = mount->options;
    storage.super_options = mount->super_options;
  }
  if (mount || file.is_device) storage.devices = devices_of_file(file, mount, root);
  if (storage.devices.empty()) {
    storage.reason = reason_without_device(file, mount, root);
  } else if (device_kind(storage.devices.front(), root) == DeviceKind::memory) {
    storage.reason = "no block device (" + storage.devices.front() + ", it lives in memory)";
  }
  storage.read_ahead_file = read_ahead_file(file, storage, root);
  return storage;
}

/// Finds each device below some others once.
class DeviceWalk {
 public:
  DeviceWalk(const std::vector<Mount>& mounts, const SysRoot& root) : mounts_(mounts), root_(root) {}

  /// From the last to the first: what was found is turned round.
  void visit_all(const Names& names) {
    for (auto name = names.rbegin(); name != names.rend(); ++name) visit(*name);
  }

  /// From the top down: each was put behind those that it lies on.
  std::vector<BlockDeviceInfo> found() const { return {found_.rbegin(), found_.rend()}; }

 private:
  void visit(const std::string& name) {
    if (!seen_.insert(name).second) return;
    BlockDeviceInfo device = describe_block_device(name, root_);
    if (!device.backing_file.empty()) device.below = below_loop(device.backing_file);
    visit_all(device.below);
    found_.push_back(std::move(device));
  }

  Names below_loop(const std::string& backing_file) const {
    try {
      const FileLocation file = locate_file(backing_file, root_);
      return devices_of_file(file, mount_of_file(mounts_, file.path, file.major, file.minor), root_);
    } catch (const Error&) {
      return {};  // removed, or in a place that this process does not see
    }
  }

  const std::vector<Mount>& mounts_;
  const SysRoot& root_;
  std::set<std::string> seen_;
  std::vector<BlockDeviceInfo> found_;
};

const BlockDeviceInfo* find_device(const std::vector<BlockDeviceInfo>& devices, const std::string& name) {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&name](const auto& device) { return device.name == name; });
  return found == devices.end() ? nullptr : &*found;
}

bool chooses_scheduler(const BlockDeviceInfo& device) {
  const QueueSetting* const scheduler = find_setting(device, "scheduler");
  return scheduler != nullptr && scheduler->choices.size() > 1;
}

/// The uppermost devices with that property on every way down from `names`; where there is none, the leaf.
template <typename Property>
Names uppermost(const DiskData& disks, const Names& names, Property property) {
  Names found;
  Names waiting(names.rbegin(), names.rend());
  std::set<std::string> seen;
  while (!waiting.empty()) {
    const std::string name = waiting.back();
    waiting.pop_back();
    const BlockDeviceInfo* const device = find_device(disks.devices, name);
    if (device == nullptr || !seen.insert(name).second) continue;
    if (property(*device) || device->below.empty()) {
      if (device->kind != DeviceKind::memory) found.push_back(name);
    } else {
      waiting.insert(waiting.end(), device->below.rbegin(), device->below.rend());
    }
  }
  return found;
}

/// "bfq", or those that are in use, joined by a comma.
std::string schedulers_of(const DiskData& disks, const Names& names) {
  Names active;
  for (const std::string& name : names) {
    const BlockDeviceInfo* const device = find_device(disks.devices, name);
    const QueueSetting* const scheduler = device == nullptr ? nullptr : find_setting(*device, "scheduler");
    if (scheduler != nullptr && !scheduler->value.value_or("").empty()) add_name(active, *scheduler->value);
  }
  std::string text;
  for (const std::string& name : active) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

FileLocation locate_file(const std::string& path, const SysRoot& root) {
  struct stat status {};
  const std::unique_ptr<char, decltype(&::free)> resolved(::realpath(path.c_str(), nullptr), &::free);
  if (root.is_fake()) {
    return locate_in_fake(path, resolved.get(), root);
  }
  if (!resolved || ::stat(resolved.get(), &status) != 0) {
    const int error = errno;
    throw Error(ExitCode::input_file, "cannot look at " + path + ": " + errno_text(error));
  }
  const bool is_device = S_ISBLK(status.st_mode);
  const auto number = is_device ? status.st_rdev : status.st_dev;
  return {resolved.get(), major(number), minor(number), is_device};
}

DiskData describe_disks(const std::vector<FileLocation>& files, const SysRoot& root) {
  const auto mounts = read_mounts(root);
  DiskData disks;
  for (const FileLocation& file : files) disks.files.push_back(describe_file(file, mounts, root));
  DeviceWalk walk(mounts, root);
  for (auto file = disks.files.rbegin(); file != disks.files.rend(); ++file) walk.visit_all(file->devices);
  disks.devices = walk.found();
  for (FileStorage& file : disks.files) {
    file.disks = uppermost(disks, file.devices, [](const auto&) { return false; });
    file.schedule_at = uppermost(disks, file.devices, chooses_scheduler);
  }
  return disks;
}

DiskData describe_disks(const FileLocation& file, const SysRoot& root) {
  return describe_disks(std::vector<FileLocation>{file}, root);
}

void add_disks(DiskData& disks, DiskData more) {
  for (auto& file : more.files) disks.files.push_back(std::move(file));
  // A new one may lie on what is there, what is there never on a new one: that would be there, too.
  std::size_t place = disks.devices.size();
  for (auto device = more.devices.rbegin(); device != more.devices.rend(); ++device) {
    if (const BlockDeviceInfo* const known = find_device(disks.devices, device->name)) {
      place = std::min(place, static_cast<std::size_t>(known - disks.devices.data()));
    } else {
      disks.devices.insert(disks.devices.begin() + static_cast<std::ptrdiff_t>(place), std::move(*device));
    }
  }
}

StorageInfo describe_storage(const FileLocation& file, const SysRoot& root) {
  const DiskData disks = describe_disks(file, root);
  const FileStorage& storage = disks.files.front();
  StorageInfo info;
  info.filesystem = storage.filesystem;
  info.mount_point = storage.mount_point;
  info.mount_source = storage.mount_source;
  info.reason = storage.reason;
  if (!storage.reason.empty()) return info;
  info.block_device = disk_of(storage.devices.front(), root);
  if (info.block_device != storage.devices.front()) info.partition = storage.devices.front();
  info.io_scheduler = schedulers_of(disks, storage.schedule_at);
  return info;
}

}  // namespace xrunlab
