#include "xrunlab/platform/changed_settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <optional>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/last_resort.hpp"
#include "xrunlab/platform/left_settings.hpp"
#include "xrunlab/platform/put_back.hpp"
#include "xrunlab/platform/setting_check.hpp"
#include "xrunlab/platform/settings_journal.hpp"

namespace xrunlab {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

/// The scheduler first, since its switch makes the kernel forget others; the read-ahead behind what it may be
/// reckoned from.
int rank_of(const SettingValue& setting) {
  if (setting.key == "scheduler") return 0;
  if (setting.key == "max_sectors_kb") return 1;
  switch (place_of_setting(setting.key).value_or(SettingPlace::play_option)) {
    case SettingPlace::queue:
      return 2;
    case SettingPlace::iosched:
      return 3;
    case SettingPlace::read_ahead:
      return 4;
    default:
      return 5;
  }
}

/// What a switch of the scheduler sets anew is part of that scheduler; anything else stays as it was found.
bool goes_with_scheduler(const SettingFile& file) {
  return !file.scheduler.empty() || file.name == "nr_requests" || file.name == "wbt_lat_usec" ||
         file.name == "async_depth";
}

}  // namespace

class ChangedSettings::State {
 public:
  State(SettingTargets targets, std::unique_ptr<SettingFiles> files, std::string directory)
      : targets_(std::move(targets)), files_(std::move(files)), directory_(std::move(directory)) {}

  void claim(std::span<const SettingValue> values);
  std::vector<GrantedSetting> apply(std::span<const SettingValue> values);
  std::vector<std::string> restore();

 private:
  void claim_owner(const SettingOwner& owner);
  void journal_scheduler(const SettingOwner& owner);
  void check_journalled(const SettingFile& file, const std::string& value) const;
  void write_down_what_is_to_be_set(std::span<const SettingValue> values);
  void set(const SettingValue& setting);
  void keep_the_rest(std::span<const SettingValue> values);
  std::vector<GrantedSetting> read_back(std::span<const SettingValue> values) const;
  void put_back_or_throw();
  std::vector<std::string> forget_devices_that_are_gone();
  void write_down(const std::string& text);
  void add_found(std::vector<SettingRecord> records, std::string text);

  SettingTargets targets_;
  std::unique_ptr<SettingFiles> files_;
  std::string directory_;
  SettingsJournal journal_;
  std::optional<JournalFile> file_;
  std::vector<UniqueFd> locks_;
  LastResort last_resort_;
};

void ChangedSettings::State::write_down(const std::string& text) {
  if (file_) {
    file_->append(text);
    return;
  }
  journal_.boot_id = files_->root().read("/proc/sys/kernel/random/boot_id").value_or("");
  journal_.pid = ::getpid();
  journal_.begun = utc_now();
  file_.emplace(directory_, journal_head(journal_) + text);
}

/// On the disk first, then in the memory of the handlers; only then may anything of it be changed.
void ChangedSettings::State::add_found(std::vector<SettingRecord> records, std::string text) {
  for (const SettingRecord& record : records) text += journal_line(RecordKind::found, record);
  write_down(text);
  journal_.found.insert(journal_.found.end(), records.begin(), records.end());
  last_resort_.arm(journal_.found, *files_, file_->path());
}

void ChangedSettings::State::claim_owner(const SettingOwner& owner) {
  const auto is_owner = [&owner](const OwnerIdentity& one) { return one.owner == owner; };
  if (std::any_of(journal_.owners.begin(), journal_.owners.end(), is_owner)) return;
  UniqueFd lock = lock_owner(owner, files_->root());
  auto directories = journal_directories(files_->root());
  directories.push_back(directory_);
  refuse_what_is_left_changed(owner, directories, file_ ? file_->path() : "", files_->root());
  const OwnerIdentity identity = identify(owner, files_->root());
  add_found(files_->snapshot(owner), journal_line(identity));
  journal_.owners.push_back(identity);
  locks_.push_back(std::move(lock));
}

void ChangedSettings::State::claim(std::span<const SettingValue> values) {
  for (const SettingValue& setting : values) {
    const bool of_scheduler = place_of_setting(setting.key) == SettingPlace::iosched;
    for (const SettingFile& file : files_of(setting, targets_, *files_)) {
      // A scheduler that is switched to later may have what the present one lacks.
      check_rights(of_scheduler ? SettingFile{file.owner, "", "scheduler"} : file, *files_);
    }
  }
  for (const SettingValue& setting : values) {
    for (const SettingOwner& owner : owners_of(setting, targets_, files_->root())) claim_owner(owner);
  }
}

/// Of a scheduler that was just switched to, before anything of it is set.
void ChangedSettings::State::journal_scheduler(const SettingOwner& owner) {
  const std::string scheduler = files_->active_scheduler_of(owner.name);
  const auto is_of_it = [&](const SettingRecord& record) {
    return record.file.owner == owner && record.file.scheduler == scheduler;
  };
  if (std::any_of(journal_.found.begin(), journal_.found.end(), is_of_it)) return;
  std::vector<SettingRecord> records = files_->snapshot(owner);
  std::erase_if(records, [](const SettingRecord& record) { return record.file.scheduler.empty(); });
  if (!records.empty()) add_found(std::move(records), "");
}

/// Nothing is changed that could not be put back.
void ChangedSettings::State::check_journalled(const SettingFile& file, const std::string& value) const {
  const auto is_it = [&file](const SettingRecord& record) { return record.file == file; };
  if (std::any_of(journal_.found.begin(), journal_.found.end(), is_it)) return;
  if (!files_->root().exists(files_->path(file))) throw refused_setting(file, value, ENOENT, *files_);
  throw Error(ExitCode::system, describe(file) + " cannot be read, so it could not be put back",
              "leave it out");
}

/// For whoever looks after a reboot, when the machine itself does not tell any more.
void ChangedSettings::State::write_down_what_is_to_be_set(std::span<const SettingValue> values) {
  std::string text;
  std::string chosen;
  for (const SettingValue& setting : values) {
    if (setting.key == "scheduler") chosen = setting.value;
    for (SettingFile& file : files_of(setting, targets_, *files_)) {
      if (!file.scheduler.empty() && !chosen.empty()) file.scheduler = chosen;
      journal_.set.push_back({std::move(file), setting.value});
      text += journal_line(RecordKind::set, journal_.set.back());
    }
  }
  if (!text.empty()) write_down(text);
}

void ChangedSettings::State::set(const SettingValue& setting) {
  for (const SettingFile& file : files_of(setting, targets_, *files_)) {
    check_journalled(file, setting.value);
    if (files_->read(file) == setting.value) continue;
    const int refusal = files_->write(file, setting.value);
    if (refusal != 0) throw refused_setting(file, setting.value, refusal, *files_);
    if (setting.key != "scheduler") continue;
    // Kernels pass over a scheduler for a device that can have none, without an error.
    if (files_->read(file) != setting.value) throw refused_setting(file, setting.value, EOPNOTSUPP, *files_);
    journal_scheduler(file.owner);
  }
}

/// A value that changed by itself, because another one was set.
void ChangedSettings::State::keep_the_rest(std::span<const SettingValue> values) {
  std::vector<SettingFile> meant;
  bool switched = false;
  for (const SettingValue& setting : values) {
    for (SettingFile& file : files_of(setting, targets_, *files_)) meant.push_back(std::move(file));
    switched = switched || setting.key == "scheduler";
  }
  for (const SettingRecord& record : journal_.found) {
    const bool is_meant = std::find(meant.begin(), meant.end(), record.file) != meant.end();
    if (is_meant || record.file.owner.area != SettingArea::queue) continue;
    if (switched && goes_with_scheduler(record.file)) continue;
    if (!is_as_found(record, *files_)) files_->write(record.file, record.value);
  }
}

std::vector<GrantedSetting> ChangedSettings::State::read_back(std::span<const SettingValue> values) const {
  std::vector<GrantedSetting> granted;
  for (const SettingValue& setting : values) {
    for (const SettingFile& file : files_of(setting, targets_, *files_)) {
      granted.push_back({setting.key, file.owner.name, setting.value, files_->read(file).value_or("")});
    }
  }
  return granted;
}

void ChangedSettings::State::put_back_or_throw() {
  const auto left = put_back(journal_.found, *files_);
  if (left.empty()) return;
  throw Error(ExitCode::system, "cannot put back what was found: " + to_string(left.front()),
              "xrunlab restore tries again");
}

std::vector<GrantedSetting> ChangedSettings::State::apply(std::span<const SettingValue> values) {
  std::vector<SettingValue> ordered(values.begin(), values.end());
  std::erase_if(ordered, [](const SettingValue& setting) {
    return place_of_setting(setting.key).value_or(SettingPlace::play_option) == SettingPlace::play_option;
  });
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
  claim(ordered);
  put_back_or_throw();
  write_down_what_is_to_be_set(ordered);
  try {
    for (const SettingValue& setting : ordered) set(setting);
    keep_the_rest(ordered);
    return read_back(ordered);
  } catch (...) {
    put_back(journal_.found, *files_);
    throw;
  }
}

std::vector<std::string> ChangedSettings::State::forget_devices_that_are_gone() {
  std::vector<std::string> lines;
  for (const OwnerIdentity& then : journal_.owners) {
    if (is_same_device(then, identify(then.owner, files_->root()))) continue;
    lines.push_back(name_of(then.owner) + " is gone, or another device now: nothing of it was put back");
    std::erase_if(journal_.found, [&then](const auto& record) { return record.file.owner == then.owner; });
  }
  return lines;
}

std::vector<std::string> ChangedSettings::State::restore() {
  if (!file_) return {};
  std::vector<std::string> lines = forget_devices_that_are_gone();
  const auto left = put_back(journal_.found, *files_);
  for (const SettingDifference& difference : left) lines.push_back(to_string(difference));
  last_resort_.disarm();
  if (left.empty()) file_->remove();
  file_.reset();
  locks_.clear();
  journal_ = {};
  return lines;
}

ChangedSettings::ChangedSettings(SettingTargets targets, const SysRoot& root, std::string journal_directory)
    : ChangedSettings(std::move(targets), std::make_unique<SettingFiles>(root),
                      std::move(journal_directory)) {}

ChangedSettings::ChangedSettings(SettingTargets targets, std::unique_ptr<SettingFiles> files,
                                 std::string journal_directory)
    : state_(std::make_unique<State>(std::move(targets), std::move(files), std::move(journal_directory))) {}

ChangedSettings::~ChangedSettings() {
  try {
    for (const std::string& line : restore()) std::fprintf(stderr, "xrunlab: %s\n", line.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "xrunlab: settings are left changed: %s (xrunlab restore puts them back)\n",
                 error.what());
  }
}

void ChangedSettings::claim(std::span<const SettingValue> values) {
  state_->claim(values);
}

std::vector<GrantedSetting> ChangedSettings::apply(std::span<const SettingValue> values) {
  return state_->apply(values);
}

std::vector<std::string> ChangedSettings::restore() {
  return state_->restore();
}

}  // namespace xrunlab
