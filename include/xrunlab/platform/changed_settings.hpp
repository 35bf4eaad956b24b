// Changes settings of the machine and puts all back: journalled before the first change, so that also after
// kill -9 or a power cut `xrunlab restore` can. One object a process, held by whoever varies settings, on the
// main thread; the class Signals must be in force, so that signals end the program through the destructor.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "xrunlab/platform/journal_file.hpp"
#include "xrunlab/platform/setting_catalogue.hpp"
#include "xrunlab/platform/setting_targets.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// What a setting became: the kernel rounds some values.
struct GrantedSetting {
  std::string key;
  std::string target;  ///< "vda", "policy0"; "" for vm
  std::string asked;
  std::string granted;  ///< as read back
};

class ChangedSettings {
 public:
  /// Changes nothing and locks nothing yet. `journal_directory` is default_journal_directory() but in
  /// tests. Throws Error{system} when another object is there.
  ChangedSettings(SettingTargets targets, const SysRoot& root, std::string journal_directory);

  /// The same on a kernel that a test has made.
  ChangedSettings(SettingTargets targets, std::unique_ptr<SettingFiles> files, std::string journal_directory);

  ChangedSettings(const ChangedSettings&) = delete;
  ChangedSettings& operator=(const ChangedSettings&) = delete;

  /// Puts everything back; what cannot be put back is told on stderr and stays in the journal.
  ~ChangedSettings();

  /// Locks what these settings are on, and journals what is there now, so that what is wrong is known before
  /// the first run. Throws Error{system}: no right to change it, another process changes it, a killed
  /// process left it changed (remedy: xrunlab restore), or the journal cannot be kept.
  void claim(std::span<const SettingValue> values);

  /// Makes the machine as it was found, but for these settings: what an earlier call set and this one does
  /// not name is as it was found. Claims what is not claimed yet. Values of place play_option are passed
  /// over. Throws like claim(), and Error{system} with the choices of its file for a value that the kernel
  /// refuses; then everything is as it was found.
  std::vector<GrantedSetting> apply(std::span<const SettingValue> values);

  /// Puts everything back, reads it back, and gives up the locks and the journal. Returns one line for each
  /// value that is not as it was found ("vda nr_requests: 64, was 62"); the journal is then kept.
  std::vector<std::string> restore();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace xrunlab
