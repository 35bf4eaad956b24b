// What can be told of settings without changing anything: whether they are there, may be written, and could
// take these values. Used by `sweep --dry-run` and by ChangedSettings before its first change; main thread.
#pragma once

#include <span>

#include "xrunlab/platform/setting_catalogue.hpp"
#include "xrunlab/platform/setting_targets.hpp"

namespace xrunlab {

/// Throws Error{system} when the file is not there or may not be written.
void check_rights(const SettingFile& file, const SettingFiles& files);

/// The same for all that a combination sets, and when the kernel offers no such value (a scheduler that it
/// could load is taken to be offered), or has a number where the value is none. Bounds of numbers are the
/// kernel's own, as is what a scheduler has that is not active now. Values of place play_option are passed
/// over.
void check_values(std::span<const SettingValue> combination, const SettingTargets& targets,
                  const SysRoot& root = SysRoot());

}  // namespace xrunlab
