// Settings that a killed run has left changed: what `restore` puts back, and the line that every other
// command prints while there are any. Main thread.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/platform/setting_file.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// One line without its newline that says what is left changed and how to put it back; "" when nothing is, or
/// when who changed it still runs. Cheap, never throws.
std::string left_settings_line(const SysRoot& root = SysRoot()) noexcept;

/// Throws Error{system} when a journal in one of the directories, other than `own_path`, says that settings
/// of `owner` are changed in this boot: what is there now is not what should be put back. To be called with
/// the owner's lock held: then it does not matter whether the journal's process is still about to end.
void refuse_what_is_left_changed(const SettingOwner& owner, const std::vector<std::string>& directories,
                                 const std::string& own_path, const SysRoot& root);

enum class RestoreOutcome {
  put_back,          ///< everything is as it was found, or there is nothing left of it that could be
  undone_by_reboot,  ///< the machine was booted since: nothing was written
  differs,           ///< something could not be put back: the journal is kept
  in_use,            ///< who changed it still runs
};

struct RestoreReport {
  RestoreOutcome outcome = RestoreOutcome::put_back;
  std::string what;                 ///< "vda, vm: changed by process 1234 at 2026-11-30T18:00:00Z"
  std::vector<std::string> lines;   ///< what was put back, and what the reboot has undone
  std::vector<std::string> faults;  ///< what is not as it was found
};

enum class RestoreMode { put_back, look, forget };

/// Does it with the journals that there are, in the order of their paths: `look` writes nothing and keeps
/// them, `forget` writes nothing and removes them. Throws Error{system} for a journal that cannot be read or
/// believed (not with `forget`).
std::vector<RestoreReport> restore_left_settings(SettingFiles& files,
                                                 const std::vector<std::string>& directories,
                                                 RestoreMode mode);

}  // namespace xrunlab
