#include "xrunlab/platform/setting_catalogue.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/platform/io_priority.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/queue_settings.hpp"

namespace xrunlab {
namespace {

enum class ValueForm { number, bytes, word, scheduler, io_priority };

struct KnownSetting {
  std::string_view key;
  SettingPlace place;
  ValueForm form;
  std::int64_t least;
  std::int64_t most;
  std::string_view text;
};

constexpr std::int64_t kAny = std::numeric_limits<std::int32_t>::max();  // the kernel has its own bounds
constexpr std::string_view kIosched = "iosched.";
constexpr std::string_view kVm = "vm.";

// Bounds are those that the kernel's documentation gives for every device
// (Documentation/ABI/stable/sysfs-block, Documentation/admin-guide/sysctl/vm.rst); the rest is the kernel's
// to refuse.
constexpr std::array kSettings{
    KnownSetting{"scheduler", SettingPlace::queue, ValueForm::scheduler, 0, 0,
                 "I/O scheduler of the disk; all: each that it offers"},
    KnownSetting{"nr_requests", SettingPlace::queue, ValueForm::number, 1, kAny,
                 "requests in the scheduler's queue"},
    KnownSetting{"nomerges", SettingPlace::queue, ValueForm::number, 0, 2,
                 "0 merge requests, 1 only the simple way, 2 never"},
    KnownSetting{"rq_affinity", SettingPlace::queue, ValueForm::number, 0, 2,
                 "where a request is completed: 0 anywhere, 1 near, 2 on the CPU that asked"},
    KnownSetting{"wbt_lat_usec", SettingPlace::queue, ValueForm::number, -1, kAny,
                 "read latency in us above which writeback is throttled; 0 off, -1 the default"},
    KnownSetting{"max_sectors_kb", SettingPlace::queue, ValueForm::number, 1, kAny, "largest request in KiB"},
    KnownSetting{"read_ahead_kb", SettingPlace::read_ahead, ValueForm::number, 0, kAny,
                 "the kernel's read-ahead of buffered reads in KiB"},
    KnownSetting{"vm.dirty_bytes", SettingPlace::vm, ValueForm::bytes, 1, kAny,
                 "unwritten bytes at which a writer must write itself"},
    KnownSetting{"vm.dirty_ratio", SettingPlace::vm, ValueForm::number, 0, 100, "the same in % of memory"},
    KnownSetting{"vm.dirty_background_bytes", SettingPlace::vm, ValueForm::bytes, 1, kAny,
                 "unwritten bytes at which the kernel begins to write"},
    KnownSetting{"vm.dirty_background_ratio", SettingPlace::vm, ValueForm::number, 0, 100,
                 "the same in % of memory"},
    KnownSetting{"vm.dirty_expire_centisecs", SettingPlace::vm, ValueForm::number, 0, kAny,
                 "age in 1/100 s at which unwritten pages are written"},
    KnownSetting{"vm.dirty_writeback_centisecs", SettingPlace::vm, ValueForm::number, 0, kAny,
                 "how often in 1/100 s that is looked at; 0 never"},
    KnownSetting{"vm.swappiness", SettingPlace::vm, ValueForm::number, 0, 200,
                 "how readily memory of programs is swapped out"},
    KnownSetting{"governor", SettingPlace::governor, ValueForm::word, 0, 0,
                 "cpufreq governor of all CPUs, e.g. performance"},
    KnownSetting{"io-priority", SettingPlace::play_option, ValueForm::io_priority, 0, 0,
                 "I/O priority of the reader: none, rt:0-7, be:0-7, idle"},
};

constexpr KnownSetting kIoschedSetting{"iosched.KEY",
                                       SettingPlace::iosched,
                                       ValueForm::word,
                                       0,
                                       0,
                                       "a setting of the active scheduler, e.g. iosched.read_expire"};

/// A name that is no longer there, and what stands for it now.
struct OldName {
  std::string_view old;
  std::string_view today;
  std::string_view note;
};
constexpr std::array kOldSchedulers{
    OldName{"noop", "none", "noop is called none since Linux 5.0"},
    OldName{"deadline", "mq-deadline", "deadline is called mq-deadline since Linux 5.0"},
    OldName{"cfq", "bfq", "cfq is gone since Linux 5.0; bfq descends from it, but is not the same"},
};
constexpr std::array kOldKeys{
    OldName{
        "read", "iosched.read_expire",
        "elvtune's read= counted what may be put before a request, not time; taken as iosched.read_expire in "
        "ms"},
    OldName{
        "write", "iosched.write_expire",
        "elvtune's write= counted what may be put before a request, not time; taken as iosched.write_expire "
        "in ms"},
};

/// Letters, digits, '_' and '-': as kernels name schedulers, governors and their settings.
bool is_word(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  const auto allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
  };
  return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), allowed);
}

const OldName* find_old(std::span<const OldName> names, std::string_view name) {
  const auto found =
      std::find_if(names.begin(), names.end(), [name](const auto& one) { return one.old == name; });
  return found == names.end() ? nullptr : &*found;
}

const KnownSetting* find_known(std::string_view key) {
  if (key.starts_with(kIosched)) return is_word(key.substr(kIosched.size())) ? &kIoschedSetting : nullptr;
  // As sysctl takes it, and without its directory.
  const auto matches = [key](const KnownSetting& one) {
    return one.key == key || (one.place == SettingPlace::vm && one.key.substr(kVm.size()) == key);
  };
  const auto found = std::find_if(kSettings.begin(), kSettings.end(), matches);
  return found == kSettings.end() ? nullptr : &*found;
}

void add_note(std::vector<std::string>& notes, std::string_view note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.emplace_back(note);
}

std::string checked_word(const std::string& what, std::string_view text) {
  if (is_word(text)) return std::string(text);
  throw Error(ExitCode::usage, what + ": '" + std::string(text) + "' is no value of it",
              "letters, digits, '-' and '_' only");
}

std::string checked_scheduler(const std::string& what, std::string_view text,
                              std::vector<std::string>& notes) {
  if (text == "anticipatory" || text == "as") {
    throw Error(ExitCode::usage, what + ": the anticipatory scheduler is gone since Linux 2.6.33",
                "take none, mq-deadline, kyber, bfq, or all");
  }
  const OldName* const old = find_old(kOldSchedulers, text);
  if (old == nullptr) return checked_word(what, text);
  add_note(notes, old->note);
  return std::string(old->today);
}

/// As the kernel would print it, so that it can be compared with what is read back.
std::string checked_value(const KnownSetting& setting, const std::string& what, std::string_view text,
                          std::vector<std::string>& notes) {
  switch (setting.form) {
    case ValueForm::number:
      return std::to_string(parse_integer(what, text, setting.least, setting.most));
    case ValueForm::bytes: {
      const Bytes bytes = parse_bytes(what, text);
      if (bytes >= setting.least) return std::to_string(bytes);
      throw Error(ExitCode::usage, what + ": the kernel takes no 0 here",
                  "give the ratio instead: it switches the bytes off");
    }
    case ValueForm::scheduler:
      return checked_scheduler(what, text, notes);
    case ValueForm::io_priority:
      return to_string(parse_io_priority(what, text));
    case ValueForm::word:
      break;
  }
  return checked_word(what, text);
}

void check_values(const std::string& what, const std::vector<std::string>& values) {
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (std::find(values.begin(), value, *value) != value) {
      throw Error(ExitCode::usage, what + ": " + *value + " is there twice", "name each value once");
    }
    if (*value == "all" && what.ends_with("scheduler") && values.size() > 1) {
      throw Error(ExitCode::usage, what + ": all already stands for every scheduler", "leave the others out");
    }
  }
}

}  // namespace

std::optional<SettingPlace> place_of_setting(std::string_view key) {
  if (const OldName* const old = find_old(kOldKeys, key)) key = old->today;
  const KnownSetting* const setting = find_known(key);
  if (setting == nullptr) return std::nullopt;
  return setting->place;
}

ParsedSetting parse_setting(std::string_view option, std::string_view text) {
  const auto equals = text.find('=');
  std::string_view key = text.substr(0, equals);
  ParsedSetting parsed;
  if (const OldName* const old = find_old(kOldKeys, key)) {
    parsed.notes.emplace_back(old->note);
    key = old->today;
  }
  const KnownSetting* const setting = find_known(key);
  if (setting == nullptr) {
    throw Error(ExitCode::usage,
                std::string(option) + ": '" + std::string(key) + "' is no setting of the machine");
  }
  parsed.key = setting == &kIoschedSetting ? key : setting->key;
  const std::string what = std::string(option) + " " + parsed.key;
  if (equals == std::string_view::npos) throw Error(ExitCode::usage, what + ": no value", "write KEY=VALUE");
  for (const std::string_view value : split_at(text.substr(equals + 1), ',')) {
    parsed.values.push_back(checked_value(*setting, what, value, parsed.notes));
  }
  check_values(what, parsed.values);
  return parsed;
}

std::vector<std::string> scheduler_choices(std::span<const std::string> disks, const SysRoot& root) {
  std::vector<std::string> common;
  for (const std::string& disk : disks) {
    const std::string text = root.read("/sys/class/block/" + disk + "/queue/scheduler").value_or("");
    const std::vector<std::string> offered = offered_schedulers(text);
    if (&disk == &disks.front()) common = offered;
    std::erase_if(common, [&offered](const std::string& name) {
      return std::find(offered.begin(), offered.end(), name) == offered.end();
    });
  }
  if (common.empty()) {
    throw Error(ExitCode::system, "scheduler=all: there is no scheduler to choose here",
                "xrunlab disk FILE shows what a file lies on");
  }
  return common;
}

std::string setting_keys_text() {
  std::string text;
  const auto add = [&text](const KnownSetting& setting) {
    text += std::string(setting.key) + ": " + std::string(setting.text) + "\n";
  };
  for (const KnownSetting& setting : kSettings) {
    add(setting);
    if (setting.key == "scheduler") add(kIoschedSetting);
  }
  return text;
}

}  // namespace xrunlab
