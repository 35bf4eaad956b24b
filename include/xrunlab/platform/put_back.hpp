// Brings settings back to what they were, whatever state a cut-off change has left them in. Used by
// ChangedSettings and by `restore`; main thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "xrunlab/platform/setting_file.hpp"

namespace xrunlab {

struct SettingDifference {
  SettingFile file;
  std::string wanted;
  std::string is;  ///< "" when it cannot be read
  std::string
      cause;  ///< why it could not be written; "" when the kernel took it and made something else of it
};

/// "vda nr_requests is 64, was 62: Invalid argument", one line.
std::string to_string(const SettingDifference& difference);

/// Whether it is what was found; so is what belongs to a scheduler that is not active.
bool is_as_found(const SettingRecord& record, const SettingFiles& files);

/// Those that are not as `found` says now.
std::vector<SettingDifference> differences(std::span<const SettingRecord> found, const SettingFiles& files);

/// Writes what differs, from the last record to the first, and again while that changes something: switching
/// the scheduler back makes the kernel forget its settings and nr_requests, half of a dirty_ pair clears the
/// other. Returns what differs still, read back.
std::vector<SettingDifference> put_back(std::span<const SettingRecord> found, SettingFiles& files);

}  // namespace xrunlab
