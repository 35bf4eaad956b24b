// Which files a setting is when it is to act on certain disks, and what to say when the kernel refuses it.
// Used by ChangedSettings and by setting_effect; main thread.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"
#include "xrunlab/model/storage.hpp"
#include "xrunlab/platform/setting_catalogue.hpp"
#include "xrunlab/platform/setting_file.hpp"

namespace xrunlab {

/// What settings act on: the answers of `disk` for the files that are played.
struct SettingTargets {
  std::vector<std::string> disks;  ///< whose scheduler sorts the requests; names in /sys/class/block
  std::vector<std::string> read_ahead_files;  ///< in /sys, which act on buffered reads of the file systems
  std::string no_disk_reason;                 ///< why there is no disk: "no block device (overlay)"
};

/// Of all the files that `disk` was asked about.
SettingTargets targets_of(const DiskData& disks);

/// What must be locked and journalled before the setting is changed; nothing for an option of `play`. Throws
/// Error{system} when it has nothing to act on.
std::vector<SettingOwner> owners_of(const SettingValue& setting, const SettingTargets& targets,
                                    const SysRoot& root);

/// The files that the setting is now, one a disk or policy; whether they are there is another matter. Of a
/// setting of a scheduler those of the active one. Throws like owners_of.
std::vector<SettingFile> files_of(const SettingValue& setting, const SettingTargets& targets,
                                  const SettingFiles& files);

/// Error{system} with what the kernel offers instead, as far as it says. `refusal`: errno.
Error refused_setting(const SettingFile& file, const std::string& value, int refusal,
                      const SettingFiles& files);

}  // namespace xrunlab
