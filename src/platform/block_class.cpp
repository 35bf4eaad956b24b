#include "xrunlab/platform/block_class.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/queue_settings.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kBlockClass = "/sys/class/block/";
constexpr std::string_view kDevices = "/dev/";

/// Where the device really lies, "/sys/devices/…/block/sda/sda2"; the class has a link to it.
std::string device_home(const std::string& name, const SysRoot& root) {
  constexpr std::string_view kUp = "../../";
  const std::string target = root.read_link(block_device_directory(name, root)).value_or("");
  return target.starts_with(kUp) ? "/sys/" + target.substr(kUp.size()) : "";
}

std::string directory_above(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::vector<std::string> only_block_devices(std::vector<std::string> names, const SysRoot& root) {
  std::erase_if(names, [&root](const std::string& name) { return !is_block_device(name, root); });
  return names;
}

bool is_hidden(const std::string& name, const SysRoot& root) {
  return root.read_integer(block_device_directory(name, root) + "/hidden") == 1;
}

/// A namespace that several controllers may reach lies in their subsystem, not in a controller.
bool is_nvme_head(const std::string& name, const SysRoot& root) {
  return device_home(name, root).find("/nvme-subsystem/") != std::string::npos && !is_hidden(name, root);
}

/// The same namespace in a controller of the same subsystem.
std::vector<std::string> nvme_paths(const std::string& head, const SysRoot& root) {
  const std::string directory = block_device_directory(head, root);
  // Since Linux 6.15 the kernel says it.
  const auto listed = only_block_devices(root.list(directory + "/multipath"), root);
  if (!listed.empty()) return listed;
  const std::string subsystem = directory_above(device_home(head, root));
  std::vector<std::string> paths;
  for (const std::string& name : root.list("/sys/class/block")) {
    if (!is_block_device(name, root) || !is_hidden(name, root)) continue;
    const std::string controller = base_name(directory_above(device_home(name, root)));
    const std::string other = block_device_directory(name, root);
    const bool same = !controller.empty() && root.exists(subsystem + "/" + controller) &&
                      root.read(other + "/nsid") == root.read(directory + "/nsid") &&
                      root.read(other + "/wwid") == root.read(directory + "/wwid");
    if (same) paths.push_back(name);
  }
  return paths;
}

/// SCSI splits it up, into vendor and model; MMC calls it a name.
std::string model_of(const std::string& name, const SysRoot& root) {
  const std::string device = block_device_directory(disk_of(name, root), root) + "/device/";
  const std::string model = root.read(device + "model").value_or(root.read(device + "name").value_or(""));
  const std::string vendor = root.read(device + "vendor").value_or("");
  // "ATA" is the translation's name, and a number that of a bus.
  const bool tells = !model.empty() && !vendor.empty() && vendor != "ATA" && !vendor.starts_with("0x");
  return tells ? vendor + " " + model : model;
}

/// /dev/mapper/vg-music may be a link to ../dm-0 or a file of its own.
std::string mapper_device(const std::string& node, const SysRoot& root) {
  constexpr std::string_view kMapper = "/dev/mapper/";
  if (!node.starts_with(kMapper)) return "";
  for (const std::string& name : root.list("/sys/class/block")) {
    const auto label = root.read(std::string(kBlockClass) + name + "/dm/name");
    if (label && *label == node.substr(kMapper.size())) return name;
  }
  return "";
}

}  // namespace

bool is_block_device(std::string_view name, const SysRoot& root) {
  if (name.empty() || name == "." || name == "..") return false;
  const bool plain = std::none_of(name.begin(), name.end(), [](char letter) {
    return letter == '/' || static_cast<unsigned char>(letter) < ' ';
  });
  return plain && root.exists(std::string(kBlockClass) + std::string(name));
}

std::string block_device_directory(std::string_view name, const SysRoot& root) {
  if (!is_block_device(name, root)) {
    throw Error(ExitCode::usage, "there is no block device '" + std::string(name) + "'",
                "ls /sys/class/block lists those that there are");
  }
  return std::string(kBlockClass) + std::string(name);
}

std::string device_by_number(unsigned major, unsigned minor, const SysRoot& root) {
  const auto target = root.read_link("/sys/dev/block/" + std::to_string(major) + ":" + std::to_string(minor));
  const std::string name = base_name(target.value_or(""));
  return is_block_device(name, root) ? name : "";
}

std::string device_by_node(const std::string& node, const SysRoot& root) {
  struct stat status {};
  if (!root.is_fake() && ::stat(node.c_str(), &status) == 0 && S_ISBLK(status.st_mode)) {
    return device_by_number(major(status.st_rdev), minor(status.st_rdev), root);
  }
  constexpr int kMostLinks = 8;
  std::string target = node;
  for (int links = 0; links < kMostLinks; ++links) {
    const auto next = root.read_link(target);
    if (!next) break;
    // A relative one may only lead to a device directly below /dev: ../dm-0, ../../sda1.
    target = next->starts_with('/') ? *next : std::string(kDevices) + base_name(*next);
  }
  if (!target.starts_with(kDevices)) return "";
  // Sysfs writes '/' in a device's name as '!': /dev/cciss/c0d0 is cciss!c0d0.
  std::string name = target.substr(kDevices.size());
  std::replace(name.begin(), name.end(), '/', '!');
  return is_block_device(name, root) ? name : mapper_device(target, root);
}

std::string disk_of(const std::string& name, const SysRoot& root) {
  // A partition's directory lies in its disk's. Digits say nothing: nvme0n1, mmcblk0 and loop0 are whole.
  if (!root.exists(block_device_directory(name, root) + "/partition")) return name;
  const std::string disk = base_name(directory_above(device_home(name, root)));
  return is_block_device(disk, root) ? disk : name;
}

std::vector<std::string> devices_below(const std::string& name, const SysRoot& root) {
  const std::string disk = disk_of(name, root);
  if (disk != name) return {disk};
  const auto slaves = only_block_devices(root.list(block_device_directory(name, root) + "/slaves"), root);
  return slaves.empty() && is_nvme_head(name, root) ? nvme_paths(name, root) : slaves;
}

DeviceKind device_kind(const std::string& name, const SysRoot& root) {
  const std::string directory = block_device_directory(name, root);
  if (root.exists(directory + "/partition")) return DeviceKind::partition;
  if (root.exists(directory + "/dm")) return DeviceKind::dm;
  if (root.exists(directory + "/md")) return DeviceKind::md;
  if (root.exists(directory + "/loop")) return DeviceKind::loop;
  // zram compresses; number 1 is the RAM disks' (devices.txt of the kernel).
  const bool zram = root.exists(directory + "/comp_algorithm");
  if (zram || root.read(directory + "/dev").value_or("").starts_with("1:")) return DeviceKind::memory;
  if (is_hidden(name, root)) return DeviceKind::path;
  return is_nvme_head(name, root) ? DeviceKind::multipath : DeviceKind::disk;
}

BlockDeviceInfo describe_block_device(const std::string& name, const SysRoot& root) {
  const std::string directory = block_device_directory(name, root);
  BlockDeviceInfo device;
  device.name = name;
  device.kind = device_kind(name, root);
  device.number = root.read(directory + "/dev").value_or("");
  if (device.kind == DeviceKind::dm) device.label = root.read(directory + "/dm/name").value_or("");
  if (device.kind == DeviceKind::md) device.label = root.read(directory + "/md/level").value_or("");
  if (device.kind == DeviceKind::loop) {
    device.backing_file = root.read(directory + "/loop/backing_file").value_or("");
  }
  constexpr std::int64_t kSectorBytes = 512;  // of sysfs, whatever the device's own are
  const auto sectors = root.read_integer(directory + "/size");
  if (sectors) device.size_bytes = *sectors * kSectorBytes;
  device.model = model_of(name, root);
  const std::string disk_directory = block_device_directory(disk_of(name, root), root);
  const auto rotational = root.read_integer(disk_directory + "/queue/rotational");
  if (rotational) device.rotational = *rotational != 0;
  device.below = devices_below(name, root);
  device.settings = read_queue_settings(name, root);
  return device;
}

}  // namespace xrunlab
