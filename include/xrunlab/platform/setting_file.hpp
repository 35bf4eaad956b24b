// One setting as a file of /sys or /proc, named by parts that are checked, so that no path from outside ever
// gets there; and reading and writing such files. Used by ChangedSettings and `restore`; set-up code, main
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// What is locked, journalled and put back as a whole.
enum class SettingArea {
  queue,    ///< queue/* and queue/iosched/* of a block device
  bdi,      ///< read-ahead of a file system that has its own (btrfs)
  vm,       ///< /proc/sys/vm
  cpufreq,  ///< one policy
};

/// "queue", "bdi", "vm", "cpufreq": as the journal has it.
std::string_view to_string(SettingArea area);
std::optional<SettingArea> setting_area_named(std::string_view name);

/// An area of one device: {queue, "vda"}, {bdi, "btrfs-1"}, {vm, ""}, {cpufreq, "policy0"}.
struct SettingOwner {
  SettingArea area = SettingArea::queue;
  std::string name;
  friend bool operator==(const SettingOwner&, const SettingOwner&) = default;
};

/// Whether `name` may name an owner or a file at all: letters, digits and "-_.:!", no ".." and no '/'.
bool is_plain_name(std::string_view name);

/// The directory that stands for it, whether or not it is there. Throws Error{system} when the name is not
/// plain.
std::string owner_directory(const SettingOwner& owner);

/// "vda", "vm".
std::string name_of(const SettingOwner& owner);

struct SettingFile {
  SettingOwner owner;
  std::string scheduler;  ///< of a file of iosched: whose it is; else ""
  std::string name;       ///< "nr_requests", "read_expire"
  friend bool operator==(const SettingFile&, const SettingFile&) = default;
};

/// "vda scheduler", "vda iosched.read_expire", "vm.dirty_bytes", "policy0 scaling_governor".
std::string describe(const SettingFile& file);

/// A machine's setting files. A test derives from it a kernel that rounds, refuses and forgets.
class SettingFiles {
 public:
  explicit SettingFiles(SysRoot root) : root_(std::move(root)) {}
  virtual ~SettingFiles() = default;
  SettingFiles(const SettingFiles&) = delete;
  SettingFiles& operator=(const SettingFiles&) = delete;

  const SysRoot& root() const noexcept { return root_; }

  /// "/sys/class/block/vda/queue/nr_requests". Throws like owner_directory, also for a file name that is
  /// not plain.
  std::string path(const SettingFile& file) const;

  /// What is in force; of a scheduler its name alone. Nothing when it cannot be read, is no single line, or
  /// belongs to a scheduler that is not active.
  std::optional<std::string> read(const SettingFile& file) const;

  /// 0, or the errno of the kernel's refusal. Throws like path().
  int write(const SettingFile& file, std::string_view value);

  /// The scheduler of a disk now; "" when it has none to choose.
  std::string active_scheduler_of(const std::string& disk) const;

  /// Every file of the area that can be read and written, with its value; the scheduler first, the active
  /// scheduler's own behind all others; nothing where there is no such device. Throws like owner_directory.
  struct Value {
    SettingFile file;
    std::string value;
    friend bool operator==(const Value&, const Value&) = default;
  };
  std::vector<Value> snapshot(const SettingOwner& owner) const;

 protected:
  virtual int write_text(const std::string& absolute, std::string_view text);

 private:
  SysRoot root_;
};

/// What one setting is or was.
using SettingRecord = SettingFiles::Value;

}  // namespace xrunlab
