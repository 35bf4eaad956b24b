// From a file to what carries it: file system, mount, block device, I/O scheduler. Read for every input by
// main during set-up.
#pragma once

#include <string>
#include <string_view>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// Where a file is: its path with links resolved, and the device number that stat gives.
struct FileLocation {
  std::string path;
  unsigned major = 0;
  unsigned minor = 0;
};

struct StorageInfo {
  std::string filesystem;  ///< "ext4"; "" when the mount was not found
  std::string mount_point;
  std::string mount_source;  ///< as mountinfo has it: "/dev/sda2", "overlay", "host:/export"
  std::string block_device;  ///< the whole disk, "sda", "nvme0n1", "dm-0", "loop0"; "" with no block device
  std::string partition;     ///< "sda2", or "" when the file system is on the whole device
  std::string io_scheduler;  ///< the active one, "" when there is none to read
  std::string reason;        ///< why there is no block device: "no block device (overlay)"
};

/// Throws Error{input_file} when `path` does not exist or cannot be looked at.
FileLocation locate_file(const std::string& path);

/// Never throws: what cannot be found stays empty, with a reason.
StorageInfo describe_storage(const FileLocation& file, const SysRoot& root = SysRoot());

/// The active one in a queue/scheduler file: "none [mq-deadline] kyber" gives "mq-deadline", a single word
/// itself.
std::string active_scheduler(std::string_view text);

}  // namespace xrunlab
