#include "xrunlab/platform/left_settings.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/journal_file.hpp"
#include "xrunlab/platform/put_back.hpp"
#include "xrunlab/platform/settings_journal.hpp"

namespace xrunlab {
namespace {

std::string this_boot(const SysRoot& root) {
  return root.read("/proc/sys/kernel/random/boot_id").value_or("");
}

std::string names_of(const SettingsJournal& journal) {
  std::string names;
  for (const OwnerIdentity& one : journal.owners) names += (names.empty() ? "" : ", ") + name_of(one.owner);
  return names.empty() ? "nothing" : names;
}

std::string what_is_in(const SettingsJournal& journal) {
  return names_of(journal) + ": changed by process " + std::to_string(journal.pid) + " at " + journal.begun;
}

/// Records of devices that are gone leave the journal, with a line each.
void drop_gone_devices(SettingsJournal& journal, const SettingFiles& files, std::vector<std::string>& lines) {
  for (const OwnerIdentity& then : journal.owners) {
    if (is_same_device(then, identify(then.owner, files.root()))) continue;
    lines.push_back(name_of(then.owner) + " is gone, or another device now: nothing to put back");
    std::erase_if(journal.found, [&then](const auto& record) { return record.file.owner == then.owner; });
  }
}

std::vector<UniqueFd> lock_all(const SettingsJournal& journal, const SettingFiles& files) {
  std::vector<UniqueFd> locks;
  for (const OwnerIdentity& one : journal.owners) {
    if (is_same_device(one, identify(one.owner, files.root()))) {
      locks.push_back(lock_owner(one.owner, files.root()));
    }
  }
  return locks;
}

void put_back_this_boot(SettingsJournal& journal, SettingFiles& files, RestoreMode mode,
                        RestoreReport& report) {
  const auto locks = lock_all(journal, files);
  drop_gone_devices(journal, files, report.lines);
  const auto changed = differences(journal.found, files);
  const char* const verb = mode == RestoreMode::put_back ? " put back to " : " was ";
  for (const SettingDifference& one : changed) {
    report.lines.push_back(describe(one.file) + " is " + one.is + "," + verb + one.wanted);
  }
  if (mode != RestoreMode::put_back) return;
  const auto left = put_back(journal.found, files);
  for (const SettingDifference& one : left) report.faults.push_back(to_string(one));
  if (!left.empty()) report.outcome = RestoreOutcome::differs;
}

/// The value that was last set, when the run set it at all.
const SettingRecord* last_set(const SettingsJournal& journal, const SettingFile& file) {
  const auto at = std::find_if(journal.set.rbegin(), journal.set.rend(),
                               [&file](const auto& one) { return one.file == file; });
  return at == journal.set.rend() ? nullptr : &*at;
}

/// After a reboot the values are the boot's own, and names may be those of other disks: nothing is written.
/// What had been tuned by hand before the run is lost too, and is named with the command that sets it.
void tell_what_reboot_undid(const SettingsJournal& journal, const SettingFiles& files,
                            RestoreReport& report) {
  report.outcome = RestoreOutcome::undone_by_reboot;
  report.lines.push_back("the machine was booted since, which has undone all that was set");
  for (const OwnerIdentity& then : journal.owners) {
    if (identify(then.owner, files.root()).hardware == then.hardware) continue;
    report.lines.push_back(name_of(then.owner) + " is gone, or another device since the reboot");
  }
  for (const SettingRecord& record : journal.found) {
    const auto is_owner = [&record](const OwnerIdentity& one) { return one.owner == record.file.owner; };
    const auto owner = std::find_if(journal.owners.begin(), journal.owners.end(), is_owner);
    if (owner == journal.owners.end() || identify(owner->owner, files.root()).hardware != owner->hardware)
      continue;
    const SettingRecord* const set = last_set(journal, record.file);
    const bool as_found = is_as_found(record, files);
    if (set == nullptr && as_found) continue;
    std::string line = describe(record.file) + " was " + record.value;
    if (set != nullptr) line += ", " + set->value + " was set";
    if (as_found) {
      line += ": the reboot has undone it";
    } else {
      line += "; since the reboot it is " + files.read(record.file).value_or("not there") + ": `echo " +
              record.value + " >" + files.path(record.file) + "` makes it what it was before the run";
    }
    report.lines.push_back(std::move(line));
  }
}

RestoreReport restore_one(const std::string& path, SettingFiles& files, RestoreMode mode) {
  RestoreReport report;
  const TakenJournal taken = take_journal(path);
  if (!taken.lock) {
    report.outcome = RestoreOutcome::in_use;
    report.what = path + ": a process that still runs changes settings, and puts them back itself";
    return report;
  }
  SettingsJournal journal = parse_journal(taken.text, path);
  report.what = what_is_in(journal);
  if (journal.boot_id == this_boot(files.root())) {
    put_back_this_boot(journal, files, mode, report);
  } else {
    tell_what_reboot_undid(journal, files, report);
  }
  if (mode == RestoreMode::put_back && report.outcome != RestoreOutcome::differs) remove_journal(path);
  return report;
}

/// Nothing when its owner has just put everything back and removed it.
std::optional<SettingsJournal> read_unless_removed(const std::string& path) {
  try {
    return parse_journal(read_journal(path), path);
  } catch (const Error&) {
    if (SysRoot("").exists(path)) throw;
    return std::nullopt;
  }
}

std::string line_about(const std::string& path, const SysRoot& root) {
  const SettingsJournal journal = parse_journal(read_journal(path), path);
  if (journal.boot_id != this_boot(root)) {
    return "a run that had changed settings of " + names_of(journal) +
           " was cut off before the machine was booted anew (xrunlab restore tells what the reboot has "
           "undone)";
  }
  return "settings of " + names_of(journal) +
         " are left changed by a run that was killed (xrunlab restore puts them back)";
}

}  // namespace

void refuse_what_is_left_changed(const SettingOwner& owner, const std::vector<std::string>& directories,
                                 const std::string& own_path, const SysRoot& root) {
  for (const JournalOnDisk& one : journals_on_disk(directories)) {
    if (one.path == own_path) continue;
    const auto journal = read_unless_removed(one.path);
    if (!journal || journal->boot_id != this_boot(root)) continue;
    const bool same = std::any_of(journal->owners.begin(), journal->owners.end(),
                                  [&owner](const auto& other) { return other.owner == owner; });
    if (!same) continue;
    throw Error(ExitCode::system,
                "settings of " + name_of(owner) + " are left changed by process " +
                    std::to_string(journal->pid) + ", which was killed",
                "xrunlab restore puts them back");
  }
}

std::string left_settings_line(const SysRoot& root) noexcept {
  try {
    for (const JournalOnDisk& one : journals_on_disk(journal_directories(root))) {
      if (one.owner == JournalOwner::alive) continue;
      try {
        return line_about(one.path, root);
      } catch (const std::exception& error) {
        return std::string(error.what()) + " (xrunlab restore puts changed settings back)";
      }
    }
  } catch (const std::exception&) {
    // Without memory for this line there will be an error that matters more.
  }
  return "";
}

std::vector<RestoreReport> restore_left_settings(SettingFiles& files,
                                                 const std::vector<std::string>& directories,
                                                 RestoreMode mode) {
  std::vector<RestoreReport> reports;
  for (const JournalOnDisk& one : journals_on_disk(directories)) {
    if (one.owner == JournalOwner::gone && mode == RestoreMode::forget) {
      reports.push_back({RestoreOutcome::put_back, "forgotten: " + one.path, {}, {}});
      remove_journal(one.path);
      continue;
    }
    reports.push_back(restore_one(one.path, files, mode));
  }
  return reports;
}

}  // namespace xrunlab
