// The mounts of this process, as /proc/self/mountinfo lists them, and the one that a file is on. Used by
// block_device.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

struct Mount {
  unsigned major = 0;
  unsigned minor = 0;
  std::string subtree;  ///< what of the file system is mounted: "/", or a directory of it (bind mount)
  std::string point;
  std::string filesystem;
  std::string source;
  std::string super_options;
};

/// In mounting order; lines that cannot be read are left out.
std::vector<Mount> read_mounts(const SysRoot& root = SysRoot());

/// The mount of the file with this absolute path and device number: the longest mount point that leads to it
/// among those with that number; without one (btrfs gives each subvolume its own number) the longest of all.
/// Of equal ones the last, which covers the others.
std::optional<Mount> mount_of_file(const std::vector<Mount>& mounts, std::string_view path, unsigned major,
                                   unsigned minor);

}  // namespace xrunlab
