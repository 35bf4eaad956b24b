#include "xrunlab/platform/settings_journal.hpp"

#include <algorithm>
#include <charconv>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kFirstLine = "xrunlab settings journal 1";
constexpr std::size_t kLongestValue = 4096;

/// Fields are separated by tabs, so neither these nor newlines may stand in one.
std::string as_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return letter == '\t' || letter == '\n'; }, ' ');
  return text;
}

std::string line_of(std::initializer_list<std::string> fields) {
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : "\t") + as_field(field);
  return line + "\n";
}

using Fields = std::vector<std::string_view>;

[[noreturn]] void refuse_line(const std::string& source, std::size_t number, const std::string& why) {
  throw Error(ExitCode::system,
              source + " is no journal of changed settings: line " + std::to_string(number) + " " + why,
              "xrunlab restore --forget puts it aside");
}

SettingOwner owner_of(const Fields& fields, const std::string& source, std::size_t number) {
  const auto area = setting_area_named(fields[1]);
  const bool named = area == SettingArea::vm ? fields[2].empty() : is_plain_name(fields[2]);
  if (!area || !named) refuse_line(source, number, "names no device");
  return {*area, std::string(fields[2])};
}

SettingRecord record_of(const Fields& fields, const std::string& source, std::size_t number) {
  SettingRecord record{{owner_of(fields, source, number), std::string(fields[3]), std::string(fields[4])},
                       std::string(fields[5])};
  const bool of_queue = record.file.owner.area == SettingArea::queue;
  if (!is_plain_name(record.file.name) ||
      (!record.file.scheduler.empty() && !(of_queue && is_plain_name(record.file.scheduler)))) {
    refuse_line(source, number, "names no setting");
  }
  if (record.value.size() > kLongestValue) refuse_line(source, number, "has too long a value");
  return record;
}

void read_line(const Fields& fields, const std::string& source, std::size_t number,
               SettingsJournal& journal) {
  if (fields[0] == "boot" && fields.size() == 2) {
    journal.boot_id = fields[1];
  } else if (fields[0] == "pid" && fields.size() == 2) {
    const auto [rest, error] =
        std::from_chars(fields[1].data(), fields[1].data() + fields[1].size(), journal.pid);
    if (error != std::errc{} || journal.pid < 1) refuse_line(source, number, "names no process");
  } else if (fields[0] == "begun" && fields.size() == 2) {
    journal.begun = fields[1];
  } else if (fields[0] == "owner" && fields.size() == 5) {
    journal.owners.push_back(
        {owner_of(fields, source, number), std::string(fields[3]), std::string(fields[4])});
  } else if (fields[0] == "found" && fields.size() == 6) {
    journal.found.push_back(record_of(fields, source, number));
  } else if (fields[0] == "set" && fields.size() == 6) {
    journal.set.push_back(record_of(fields, source, number));
  } else {
    refuse_line(source, number, "is none of its lines");
  }
}

}  // namespace

std::string journal_head(const SettingsJournal& journal) {
  return std::string(kFirstLine) + "\n" + line_of({"boot", journal.boot_id}) +
         line_of({"pid", std::to_string(journal.pid)}) + line_of({"begun", journal.begun});
}

std::string journal_line(const OwnerIdentity& owner) {
  return line_of(
      {"owner", std::string(to_string(owner.owner.area)), owner.owner.name, owner.sequence, owner.hardware});
}

std::string journal_line(RecordKind kind, const SettingRecord& record) {
  return line_of({kind == RecordKind::found ? "found" : "set", std::string(to_string(record.file.owner.area)),
                  record.file.owner.name, record.file.scheduler, record.file.name, record.value});
}

SettingsJournal parse_journal(std::string_view text, const std::string& source) {
  SettingsJournal journal;
  std::size_t number = 0;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    const std::string_view line = text.substr(0, end);
    if (++number == 1) {
      if (line != kFirstLine) refuse_line(source, number, "is not '" + std::string(kFirstLine) + "'");
    } else {
      read_line(split_at(line, '\t'), source, number, journal);
    }
  }
  if (number == 0) refuse_line(source, 1, "is missing");
  return journal;
}

OwnerIdentity identify(const SettingOwner& owner, const SysRoot& root) {
  OwnerIdentity identity{owner, "", ""};
  if (owner.area != SettingArea::queue) return identity;
  const std::string device = "/sys/class/block/" + owner.name;
  identity.sequence = as_field(root.read(device + "/diskseq").value_or(""));
  identity.hardware = root.read(device + "/size").value_or("");
  for (const char* const file :
       {"/wwid", "/serial", "/device/wwid", "/device/serial", "/loop/backing_file"}) {
    const auto text = root.read(device + file);
    if (text && !text->empty()) {
      identity.hardware += " " + *text;
      break;
    }
  }
  identity.hardware = as_field(identity.hardware);
  return identity;
}

bool is_same_device(const OwnerIdentity& then, const OwnerIdentity& now) {
  if (!then.sequence.empty() && !now.sequence.empty()) return then.sequence == now.sequence;
  return then.hardware == now.hardware;
}

}  // namespace xrunlab
