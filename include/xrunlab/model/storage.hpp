// What files lie on: file system, mount, and every block device below it down to the disks, with their queue
// settings (schema xrunlab/disk/1, docs/disk.md). Filled by platform, printed by `xrunlab disk`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

/// A file of queue/ or queue/iosched/ in sysfs.
struct QueueSetting {
  std::string name;                  ///< "read_ahead_kb", "iosched.read_expire"
  std::optional<std::string> value;  ///< as in its file, of "scheduler" the active one; absent: not readable
  bool writable = false;
  std::vector<std::string> choices;  ///< of "scheduler": what the device offers; else empty
  friend bool operator==(const QueueSetting&, const QueueSetting&) = default;
};

enum class DeviceKind {
  disk,       ///< whatever lies on nothing else, also one of a virtual machine
  partition,  ///< has no queue of its own, its disk's is used
  dm,         ///< device mapper: LVM, dm-crypt, multipath
  md,         ///< software RAID
  loop,       ///< its data is a file
  multipath,  ///< what NVMe shows of a namespace that is reached by several controllers
  path,       ///< one of these ways; hidden, it has no file in /dev
  memory,     ///< zram or a RAM disk: no I/O at all
};

std::string_view to_string(DeviceKind kind);

struct BlockDeviceInfo {
  std::string name;  ///< as in /sys/class/block: "sda2", "dm-0"
  DeviceKind kind = DeviceKind::disk;
  std::string number;            ///< "8:2"; "" for a hidden one
  std::string label;             ///< dm: its name in /dev/mapper; md: the RAID level; else ""
  std::string backing_file;      ///< loop: as the kernel has it; else ""
  std::int64_t size_bytes = -1;  ///< -1: unknown
  std::string model;             ///< "" when the driver tells none
  std::optional<bool> rotational;
  std::vector<std::string> below;      ///< names of the devices that it lies on; empty: a leaf
  std::vector<QueueSetting> settings;  ///< by name; empty for a partition and where there is no queue
};

/// The setting of that name, or null.
const QueueSetting* find_setting(const BlockDeviceInfo& device, std::string_view name);

struct FileStorage {
  std::string path;        ///< links resolved
  std::string filesystem;  ///< "" when the mount was not found, and for a device's own file in /dev
  std::string mount_point;
  std::string mount_source;          ///< as mountinfo has it: "/dev/sda2", "overlay", "host:/export"
  std::string mount_options;         ///< of this mount
  std::string super_options;         ///< of the file system, wherever it is mounted
  std::vector<std::string> devices;  ///< that the file system is on: one, of btrfs perhaps several
  std::vector<std::string> disks;    ///< the leaves below them
  /// Whose scheduler sorts the file's requests: the uppermost on each way down that has one to choose, a leaf
  /// where none has. Not the leaves where a loop device or multipath by dm has a queue of its own.
  std::vector<std::string> schedule_at;
  std::string read_ahead_file;  ///< the setting that acts on buffered reads, in /sys; "" without one
  std::string reason;           ///< why there is no block device: "no block device (overlay)"
};

struct DiskData {
  std::string version;  ///< of the program
  std::vector<FileStorage> files;
  std::vector<BlockDeviceInfo> devices;  ///< of all files, each once, from the file systems down
};

/// The document that `disk --json` prints.
std::string to_json(const DiskData& disks);

}  // namespace xrunlab
