// Which settings of the machine can be varied or fixed for a run, and what their names and values may look
// like. Used by `sweep` when it reads --vary and --fix; pure but for scheduler_choices. Main thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// Where a setting lives, which decides what it acts on.
enum class SettingPlace {
  queue,        ///< queue/KEY of a disk
  iosched,      ///< queue/iosched/KEY of a disk, as long as one scheduler is active
  read_ahead,   ///< read_ahead_kb of what the file system is on: not always a disk
  vm,           ///< /proc/sys/vm/KEY
  governor,     ///< scaling_governor of every cpufreq policy
  play_option,  ///< no file: an option of `play` (the reader's I/O priority)
};

/// "scheduler", "iosched.read_expire", "vm.dirty_bytes", "governor", "io-priority", and its value.
struct SettingValue {
  std::string key;
  std::string value;
  friend bool operator==(const SettingValue&, const SettingValue&) = default;
};

/// What one KEY=A,B,C came to.
struct ParsedSetting {
  std::string key;
  std::vector<std::string> values;  ///< one is "all" only for the scheduler: see scheduler_choices
  std::vector<std::string> notes;   ///< one line each: an old name was mapped
};

/// Where the key lives; nothing for a key that is no setting of the machine (then it may be an option of
/// `play`). Old names (elvtune's "read" and "write") count.
std::optional<SettingPlace> place_of_setting(std::string_view key);

/// KEY=VALUE or KEY=A,B,C for a key that place_of_setting knows. Old names become today's, each with a note.
/// Throws Error{usage} that names `option` for a value that no kernel could take (no number where one is
/// needed, a letter that no name has), and for one that is there twice.
ParsedSetting parse_setting(std::string_view option, std::string_view text);

/// The schedulers that every one of these disks offers, in the order of the first one's file: what
/// scheduler=all stands for. Throws Error{system} when there is none.
std::vector<std::string> scheduler_choices(std::span<const std::string> disks,
                                           const SysRoot& root = SysRoot());

/// Every key with what it is, one line each, for --help and for the message about an unknown one.
std::string setting_keys_text();

}  // namespace xrunlab
