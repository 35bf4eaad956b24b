// The machine's settings in a sweep: what they act on, whether they can act, what was there before, and the
// object that changes them and puts them back. Used by `sweep` on the main thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "xrunlab/cli/sweep_play.hpp"
#include "xrunlab/model/experiment_info.hpp"
#include "xrunlab/platform/changed_settings.hpp"
#include "xrunlab/platform/setting_effect.hpp"

namespace xrunlab {

/// What settings act on when these files are played. Throws Error{input_file} for one that is not there.
SettingTargets targets_of_files(const std::vector<std::filesystem::path>& files);

/// The settings of a combination that cannot act. Throws Error{usage} for the first one unless they are to be
/// let pass (--force-inert).
std::vector<InertSetting> check_inert(const std::vector<SettingValue>& settings,
                                      const SettingContext& context, bool force_inert);

/// Those of the settings that are files of the machine, without what is inert because it has none.
std::vector<SettingValue> settable_settings(const std::vector<SettingValue>& settings,
                                            const std::vector<InertSetting>& inert);

/// Changes nothing, and needs no rights, while no combination has a setting of the machine.
class SweepMachine {
 public:
  /// `settings`: what can be set, by combination.
  SweepMachine(const SettingTargets& targets, std::vector<std::vector<SettingValue>> settings);

  /// Locks and journals what will be changed, then sets every combination once, so that a value that the
  /// kernel refuses is known before the first run. Everything is as it was found afterwards. Throws
  /// Error{system}. A second call does nothing.
  void claim();

  /// One combination's settings, all others as they were found. Returns a line for each value that the kernel
  /// granted otherwise, but for -1 where that asks for its default. Throws Error{system}.
  std::vector<std::string> apply(std::size_t combination);

  /// Puts everything back. Returns a line for each value that is not as it was found.
  std::vector<std::string> restore();

  /// A line for each two values of a setting that the kernel made the same, as claim() saw them.
  std::vector<std::string> equal_values() const;

  /// For the run file: of a setting of the machine as the last apply() was granted it.
  SettingData describe(const SweepFix& setting, const std::vector<InertSetting>& inert) const;

 private:
  void note_found();

  SettingTargets targets_;
  std::vector<std::vector<SettingValue>> settings_;
  std::vector<SettingValue> all_;  ///< each key once, with one of its values
  std::map<std::string, std::string> found_;
  std::map<std::string, std::string> granted_;                                ///< by the last apply(), by key
  std::map<std::string, std::map<std::string, std::string>> claimed_values_;  ///< granted by asked, by key
  std::unique_ptr<ChangedSettings> changed_;
  bool claimed_ = false;
};

}  // namespace xrunlab
