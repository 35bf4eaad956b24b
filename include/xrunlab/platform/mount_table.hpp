// The mounts of this process, as /proc/self/mountinfo lists them, and the one that a file is on. Used by
// block_device.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

struct DeviceNumber {
  unsigned major = 0;
  unsigned minor = 0;
};

/// "8:2"; nothing for anything else.
std::optional<DeviceNumber> parse_device_number(std::string_view text);

struct Mount {
  unsigned major = 0;
  unsigned minor = 0;
  std::string subtree;  ///< what of the file system is mounted: "/", or a directory of it (bind mount)
  std::string point;
  std::string options;  ///< of this mount, "rw,relatime"
  std::string filesystem;
  std::string source;
  std::string super_options;  ///< of the file system, wherever it is mounted
};

/// In mounting order; lines that cannot be read are left out.
std::vector<Mount> read_mounts(const SysRoot& root = SysRoot());

/// The mount of the file with this absolute path and device number: the longest mount point that leads to it
/// among those with that number; without one (btrfs gives each subvolume its own number) the longest of all.
/// Of equal ones the last, which covers the others.
std::optional<Mount> mount_of_file(const std::vector<Mount>& mounts, std::string_view path, unsigned major,
                                   unsigned minor);

/// The mount that covers this absolute path, by its mount point alone.
std::optional<Mount> longest_mount(const std::vector<Mount>& mounts, std::string_view path);

}  // namespace xrunlab
