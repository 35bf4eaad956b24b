// From a file to what carries it: file system, mount, block devices down to the disks. Read for every input
// by main during set-up, and by `xrunlab disk`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/model/storage.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// Where a file is: its path with links resolved, and a device number.
struct FileLocation {
  std::string path;
  unsigned major = 0;  ///< of the file system, as stat gives it; with `is_device` of the device itself
  unsigned minor = 0;
  bool is_device = false;  ///< the file is a block device's own, /dev/sda
};

/// What a run file says about an input's storage.
struct StorageInfo {
  std::string filesystem;  ///< "ext4"; "" when the mount was not found
  std::string mount_point;
  std::string mount_source;  ///< as mountinfo has it: "/dev/sda2", "overlay", "host:/export"
  std::string block_device;  ///< the whole disk, "sda", "nvme0n1", "dm-0", "loop0"; "" with no block device
  std::string partition;     ///< "sda2", or "" when the file system is on the whole device
  std::string io_scheduler;  ///< the active one of whatever sorts the requests, FileStorage::schedule_at: of
                             ///< LVM its disk's, several joined by ", "; "" when there is none to read
  std::string reason;        ///< why there is no block device: "no block device (overlay)"
};

/// Throws Error{input_file} when `path` does not exist or cannot be looked at. Under a fake root, where stat
/// would speak of the real machine, the number is that of the longest mount point, and a file that is not
/// there may be one of the fake root's.
FileLocation locate_file(const std::string& path, const SysRoot& root = SysRoot());

/// What cannot be found stays empty, with a reason. Throws Error{usage} only when a device vanishes
/// meanwhile.
StorageInfo describe_storage(const FileLocation& file, const SysRoot& root = SysRoot());

/// The files with every device below them, each once, from the file systems down: what lies on another stands
/// before it. What cannot be found and throws: as describe_storage.
DiskData describe_disks(const std::vector<FileLocation>& files, const SysRoot& root = SysRoot());

/// The same for one.
DiskData describe_disks(const FileLocation& file, const SysRoot& root = SysRoot());

/// Adds the files and devices of `more` behind those of `disks`, a device that is there already only once;
/// the order of the devices stays as describe_disks gives it.
void add_disks(DiskData& disks, DiskData more);

}  // namespace xrunlab
