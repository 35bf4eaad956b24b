// The journal of changed settings, and KEY=VALUE of settings: what is accepted names files in the directories
// of settings only, and comes back as it was.

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/platform/setting_catalogue.hpp"
#include "xrunlab/platform/settings_journal.hpp"

namespace xrunlab::fuzz::settings_journal {
namespace {

void check_path(const SettingFiles& files, const SettingFile& file) {
  const std::string path = files.path(file);
  bool known = false;
  for (const std::string_view top :
       {"/sys/class/block/", "/sys/class/bdi/", "/proc/sys/vm/", "/sys/devices/system/cpu/cpufreq/"}) {
    known = known || path.starts_with(top);
  }
  require(known, "a path that leads elsewhere");
  require(path.find("/../") == std::string::npos && path.find("//") == std::string::npos &&
              !path.ends_with("/.."),
          "a path that leads out of its directory");
}

void check_journal(std::string_view text) {
  const SettingsJournal journal = parse_journal(text, "fuzz");
  const SettingFiles files{SysRoot("/nonexistent")};
  std::string again = journal_head(journal);
  for (const auto& owner : journal.owners) again += journal_line(owner);
  for (const auto& record : journal.found) {
    check_path(files, record.file);
    again += journal_line(RecordKind::found, record);
  }
  for (const auto& record : journal.set) {
    check_path(files, record.file);
    again += journal_line(RecordKind::set, record);
  }
  if (journal.pid == 0) return;
  const SettingsJournal second = parse_journal(again, "fuzz");
  require(second.found == journal.found && second.set == journal.set && second.owners == journal.owners,
          "a journal does not come back");
}

void check_setting(std::string_view text) {
  const ParsedSetting parsed = parse_setting("--vary", text);
  require(!parsed.values.empty() && place_of_setting(parsed.key).has_value(), "a setting without a place");
  for (const std::string& value : parsed.values) {
    require(value.find_first_of("/\n\t ") == std::string::npos, "a value that could be more than one");
    const std::string once = parsed.key + "=" + value;
    require(parse_setting("--vary", once).values.front() == value, "a value does not come back");
  }
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string head = "xrunlab settings journal 1\nboot\tb\npid\t7\nbegun\tnow\n";
  return {
      head +
          "owner\tqueue\tsda\t5\t4096 SERIAL\nfound\tqueue\tsda\t\tscheduler\tnone\n"
          "found\tqueue\tsda\tbfq\tslice_idle\t8\nset\tqueue\tsda\t\tscheduler\tbfq\n",
      head + "owner\tvm\t\t\t\nfound\tvm\t\t\tdirty_bytes\t0\n",
      head +
          "found\tbdi\t0:40\t\tread_ahead_kb\t128\nfound\tcpufreq\tpolicy0\t\tscaling_governor\tpowersave\n",
      head + "found\tqueue\t..\t\t../x\t1\n",
      "scheduler=none,mq-deadline,cfq",
      "iosched.read_expire=100",
      "vm.dirty_bytes=16MiB,1GB",
      "io-priority=rt:0,none",
      "read=8192",
      "wbt_lat_usec=-1"};
}

void run(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of(data, size);
  const AllocationLimit limit(64 * 1024 + 256 * size);
  refusal_of(ExitCode::system, [&] { check_journal(text); });
  refusal_of(ExitCode::usage, [&] { check_setting(text); });
}

const Registered registered{{"settings_journal", seeds, run}};

}  // namespace xrunlab::fuzz::settings_journal
