#include "xrunlab/cli/sweep_machine.hpp"

#include <algorithm>
#include <set>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/block_device.hpp"

namespace xrunlab {
namespace {

bool is_of_machine(const SettingValue& setting) {
  const auto place = place_of_setting(setting.key);
  return place && *place != SettingPlace::play_option;
}

/// Nothing where the setting's file is not there now: that of a scheduler that is not active.
std::string value_found(const SettingValue& setting, const SettingTargets& targets,
                        const SettingFiles& files) {
  std::string found;
  for (const auto& file : files_of(setting, targets, files)) {
    const auto value = files.read(file);
    if (!value) return {};
    // Disks that differ have no one value to compare with.
    if (!found.empty() && found != *value) return {};
    found = *value;
  }
  return found;
}

/// What the kernel made of each setting; where disks differ, that of each.
std::map<std::string, std::string> granted_values(const std::vector<GrantedSetting>& settings) {
  std::map<std::string, std::string> values;
  std::map<std::string, std::string> each;
  std::set<std::string> differing;
  for (const auto& [key, target, asked, granted] : settings) {
    const auto [place, is_new] = values.try_emplace(key, granted);
    if (place->second != granted) differing.insert(key);
    each[key] += (each[key].empty() ? "" : " ") + target + ":" + granted;
  }
  for (const auto& key : differing) values[key] = each[key];
  return values;
}

/// Then another value is what was meant.
bool asks_for_default(const GrantedSetting& setting) {
  return setting.key == "wbt_lat_usec" && setting.asked == "-1";
}

const InertSetting* find_inert(const std::vector<InertSetting>& inert, const std::string& key) {
  const auto found =
      std::find_if(inert.begin(), inert.end(), [&key](const auto& one) { return one.key == key; });
  return found == inert.end() ? nullptr : &*found;
}

}  // namespace

SettingTargets targets_of_files(const std::vector<std::filesystem::path>& files) {
  DiskData disks;
  std::set<std::filesystem::path> folders;
  for (const auto& path : files) {
    // Files of one folder lie on the same file system, unless they are links.
    const auto real = std::filesystem::weakly_canonical(path);
    const auto folder = std::filesystem::is_directory(real) ? real : real.parent_path();
    if (folders.insert(folder).second) add_disks(disks, describe_disks(locate_file(real.string())));
  }
  return targets_of(disks);
}

std::vector<InertSetting> check_inert(const std::vector<SettingValue>& settings,
                                      const SettingContext& context, bool force_inert) {
  if (settings.empty()) return {};
  auto inert = inert_settings(settings, context);
  if (inert.empty() || force_inert) return inert;
  throw Error(ExitCode::usage, inert.front().reason,
              "leave it out; --force-inert runs it all the same and marks it");
}

std::vector<SettingValue> settable_settings(const std::vector<SettingValue>& settings,
                                            const std::vector<InertSetting>& inert) {
  std::vector<SettingValue> settable;
  for (const auto& setting : settings) {
    const InertSetting* const no_effect = find_inert(inert, setting.key);
    if (is_of_machine(setting) && (no_effect == nullptr || no_effect->can_be_set))
      settable.push_back(setting);
  }
  return settable;
}

SweepMachine::SweepMachine(const SettingTargets& targets, std::vector<std::vector<SettingValue>> settings)
    : targets_(targets), settings_(std::move(settings)) {
  std::map<std::string, SettingValue> by_key;
  for (const auto& combination : settings_) {
    for (const auto& setting : combination) by_key.emplace(setting.key, setting);
  }
  for (const auto& [key, setting] : by_key) all_.push_back(setting);
  if (all_.empty()) return;
  const SysRoot root;
  changed_ = std::make_unique<ChangedSettings>(targets_, root, default_journal_directory(root));
}

void SweepMachine::note_found() {
  const SettingFiles files{SysRoot()};
  for (const auto& setting : all_) {
    const std::string found = value_found(setting, targets_, files);
    if (!found.empty()) found_[setting.key] = found;
  }
}

void SweepMachine::claim() {
  if (!changed_ || claimed_) return;
  changed_->claim(all_);
  claimed_ = true;
  note_found();
  for (const auto& settings : settings_) {
    for (const auto& [key, value] : granted_values(changed_->apply(settings))) {
      const auto asked = std::find_if(settings.begin(), settings.end(),
                                      [&wanted = key](const auto& setting) { return setting.key == wanted; });
      if (asked != settings.end()) claimed_values_[key][asked->value] = value;
    }
  }
  changed_->apply({});
}

std::vector<std::string> SweepMachine::apply(std::size_t combination) {
  std::vector<std::string> lines;
  if (!changed_) return lines;
  const auto settings = changed_->apply(settings_[combination]);
  granted_ = granted_values(settings);
  for (const auto& granted : settings) {
    if (granted.granted == granted.asked || asks_for_default(granted)) continue;
    const std::string where = granted.target.empty() ? "" : granted.target + " ";
    lines.push_back(where + granted.key + " is " + granted.granted + " where " + granted.asked +
                    " was asked");
  }
  return lines;
}

std::vector<std::string> SweepMachine::equal_values() const {
  std::vector<std::string> lines;
  for (const auto& [key, values] : claimed_values_) {
    std::map<std::string, std::string> asked_by_granted;
    std::set<std::string> equal;
    for (const auto& [asked, granted] : values) {
      const auto [place, is_new] = asked_by_granted.try_emplace(granted, asked);
      if (is_new) continue;
      place->second += " and " + asked;
      equal.insert(granted);
    }
    for (const auto& granted : equal)
      lines.push_back(key + "=" + asked_by_granted[granted] + " are the same here: " + granted);
  }
  return lines;
}

std::vector<std::string> SweepMachine::restore() {
  return changed_ ? changed_->restore() : std::vector<std::string>{};
}

SettingData SweepMachine::describe(const SweepFix& setting, const std::vector<InertSetting>& inert) const {
  SettingData data;
  data.key = setting.key;
  data.value = setting.value;
  const auto granted = granted_.find(setting.key);
  if (granted != granted_.end() && granted->second != setting.value) {
    data.value = granted->second;
    data.asked = setting.value;
  }
  if (const auto found = found_.find(setting.key); found != found_.end()) data.found = found->second;
  data.acts = find_inert(inert, setting.key) == nullptr;
  return data;
}

}  // namespace xrunlab
