// The text of a journal of changed settings: what there was before, on which device, in which boot, and what
// was set. Pure. Written by ChangedSettings before it changes anything, read by `restore`.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/setting_file.hpp"

namespace xrunlab {

/// Which device it was: a name may be another's after a reboot or when a disk was plugged.
struct OwnerIdentity {
  SettingOwner owner;
  std::string sequence;  ///< the kernel's number of this appearance of a disk (diskseq); "" when it has none
  std::string hardware;  ///< size and serial number, the same after a reboot
  friend bool operator==(const OwnerIdentity&, const OwnerIdentity&) = default;
};

struct SettingsJournal {
  std::string boot_id;
  pid_t pid = 0;
  std::string begun;  ///< UTC, ISO 8601
  std::vector<OwnerIdentity> owners;
  std::vector<SettingRecord> found;  ///< in the order in which they were read; to be put back from the end
  std::vector<SettingRecord> set;    ///< in the order in which they were about to be set
};

/// The first lines. A journal is this, followed by lines of the other three, appended as things happen.
std::string journal_head(const SettingsJournal& journal);
std::string journal_line(const OwnerIdentity& owner);
enum class RecordKind { found, set };
std::string journal_line(RecordKind kind, const SettingRecord& record);

/// A last line without its newline was cut off by a power cut, before anything of it was done: it is left
/// out. Throws Error{system} naming `source` for text that is no such journal, or that names what cannot be a
/// setting.
SettingsJournal parse_journal(std::string_view text, const std::string& source);

/// What the kernel tells of it now.
OwnerIdentity identify(const SettingOwner& owner, const SysRoot& root);

/// Within one boot: false when the disk was taken away, or another one got its name.
bool is_same_device(const OwnerIdentity& then, const OwnerIdentity& now);

}  // namespace xrunlab
