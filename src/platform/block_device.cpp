#include "xrunlab/platform/block_device.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <memory>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/mount_table.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kBlockClass = "/sys/class/block/";

std::string in_block_class(std::string_view name) {
  return std::string(kBlockClass) + std::string(name);
}

/// Where the device's directory lies: ".../block/sda/sda2".
std::string device_directory(const std::string& name, const SysRoot& root) {
  return root.read_link(in_block_class(name)).value_or("");
}

/// The name that sysfs has for a device number.
std::string name_by_number(unsigned major, unsigned minor, const SysRoot& root) {
  const auto target = root.read_link("/sys/dev/block/" + std::to_string(major) + ":" + std::to_string(minor));
  if (target) return base_name(*target);
  return "";
}

/// The name behind "/dev/…", through links such as /dev/mapper/vg-lv → ../dm-0.
std::string name_by_node(std::string source, const SysRoot& root) {
  constexpr int kMostLinks = 8;
  for (int links = 0; links < kMostLinks; ++links) {
    const auto target = root.read_link(source);
    if (!target) break;
    source = *target;
    if (source.starts_with('/')) continue;
    source = "/dev/" + base_name(source);
  }
  // Sysfs writes '/' in a device's name as '!': /dev/cciss/c0d0 is cciss!c0d0.
  std::string name = source.substr(5);
  for (char& letter : name) {
    if (letter == '/') letter = '!';
  }
  return root.exists(in_block_class(name)) ? name : "";
}

void fill_device(const std::string& name, const SysRoot& root, StorageInfo& info) {
  info.block_device = name;
  // A partition's directory lies in its disk's. Digits say nothing: nvme0n1, mmcblk0 and loop0 are whole.
  if (root.exists(in_block_class(name) + "/partition")) {
    const std::string directory = device_directory(name, root);
    const auto slash = directory.rfind('/');
    if (slash != std::string::npos) {
      info.partition = name;
      info.block_device = base_name(std::string_view(directory).substr(0, slash));
    }
  }
  info.io_scheduler =
      active_scheduler(root.read(in_block_class(info.block_device) + "/queue/scheduler").value_or(""));
}

std::string reason_without_device(const Mount& mount) {
  const std::string& type = mount.filesystem;
  const bool memory = type == "tmpfs" || type == "ramfs" || type == "rootfs" || type == "devtmpfs";
  return "no block device (" + type + (memory ? ", it lives in memory)" : ")");
}

}  // namespace

FileLocation locate_file(const std::string& path) {
  struct stat status {};
  const std::unique_ptr<char, decltype(&::free)> resolved(::realpath(path.c_str(), nullptr), &::free);
  if (!resolved || ::stat(resolved.get(), &status) != 0) {
    const int error = errno;
    throw Error(ExitCode::input_file, "cannot look at " + path + ": " + errno_text(error));
  }
  return {resolved.get(), major(status.st_dev), minor(status.st_dev)};
}

StorageInfo describe_storage(const FileLocation& file, const SysRoot& root) {
  StorageInfo info;
  const auto mount = mount_of_file(read_mounts(root), file.path, file.major, file.minor);
  if (!mount) {
    info.reason = "no mount found for it in /proc/self/mountinfo";
    return info;
  }
  info.filesystem = mount->filesystem;
  info.mount_point = mount->point;
  info.mount_source = mount->source;
  // Major 0 is an anonymous number: memory, network, overlay, and btrfs, whose source is a device all the
  // same.
  std::string name = file.major != 0 ? name_by_number(file.major, file.minor, root) : "";
  if (name.empty() && mount->source.starts_with("/dev/")) name = name_by_node(mount->source, root);
  if (name.empty()) {
    info.reason = file.major == 0 ? reason_without_device(*mount)
                                  : "block device " + std::to_string(file.major) + ":" +
                                        std::to_string(file.minor) + " is not in /sys (a container?)";
    return info;
  }
  fill_device(name, root, info);
  return info;
}

std::string active_scheduler(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open);
  if (open != std::string_view::npos && close != std::string_view::npos) {
    return std::string(text.substr(open + 1, close - open - 1));
  }
  const auto words = split_words(text);
  return words.size() == 1 ? std::string(words.front()) : "";
}

}  // namespace xrunlab
