#include "xrunlab/platform/limits_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

#include "xrunlab/platform/account_files.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr const char* kMainFile = "/etc/security/limits.conf";
constexpr const char* kLimitsDirectory = "/etc/security/limits.d";
constexpr std::size_t kWords = 4;
constexpr std::int64_t kHighestPriority = 99;

// limits.conf(5)
constexpr std::array<std::string_view, 20> kItems{
    "core",       "data",     "fsize", "memlock",   "nofile",       "rss",       "stack",
    "cpu",        "nproc",    "as",    "maxlogins", "maxsyslogins", "priority",  "locks",
    "sigpending", "msgqueue", "nice",  "rtprio",    "chroot",       "nonewprivs"};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

/// Letters to put in, leave out or change.
std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t index = 0; index < one.size(); ++index) {
    std::size_t diagonal = row.front();
    row.front() = index + 1;
    for (std::size_t column = 0; column < other.size(); ++column) {
      const std::size_t changed = diagonal + (one[index] == other[column] ? 0 : 1);
      diagonal = row[column + 1];
      row[column + 1] = std::min({changed, row[column] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// What was meant by a name that is none; "" when nothing is near.
std::string_view nearest_item(std::string_view word) {
  constexpr std::size_t kFar = 3;
  std::string_view nearest;
  std::size_t least = kFar;
  for (const std::string_view item : kItems) {
    if (std::max(word.size(), item.size()) - std::min(word.size(), item.size()) >= least) continue;
    const std::size_t distance = edit_distance(word, item);
    if (distance >= least || distance >= item.size()) continue;
    least = distance;
    nearest = item;
  }
  return nearest;
}

bool is_item(const std::string& word) {
  return std::find(kItems.begin(), kItems.end(), word) != kItems.end();
}

bool is_value(const std::string& item, const std::string& value) {
  if (item == "chroot") return true;
  const std::string word = lower(value);
  if (word == "unlimited" || word == "infinity") return true;
  const std::size_t sign = value.starts_with('-') || value.starts_with('+') ? 1 : 0;
  return value.size() > sign && std::all_of(value.begin() + static_cast<std::ptrdiff_t>(sign), value.end(),
                                            [](unsigned char digit) { return std::isdigit(digit) != 0; });
}

bool is_plain(const LimitsLine& line) {
  return std::all_of(line.words.begin(), line.words.end(), [](const std::string& word) {
    return std::all_of(word.begin(), word.end(), [](char letter) { return letter > ' ' && letter < 0x7F; });
  });
}

LimitsFlaw flaw_at(const LimitsLine& line, std::string what, std::string mend) {
  return {line.file + ":" + std::to_string(line.number), std::move(what), std::move(mend)};
}

std::optional<LimitsFlaw> flaw_of_who(const LimitsLine& line, const SysRoot& root) {
  const std::string& who = line.words.front();
  if (!root.exists("/etc/group")) return std::nullopt;
  const bool is_group = who.starts_with('@');
  const std::string name = who.substr(is_group ? 1 : 0);
  const bool special =
      name.empty() || who.find(':') != std::string::npos || who.starts_with('*') || who.starts_with('%');
  if (special) return std::nullopt;
  if (is_group && !group_id(name, root)) {
    return flaw_at(line, "there is no group " + name + " in /etc/group",
                   "sudo groupadd " + name + ", or name a group that is there");
  }
  // A user that is in no file may be known from elsewhere.
  if (!is_group && !user_exists(name, root) && group_id(name, root)) {
    return flaw_at(line, name + " is a group, and without @ a user is meant", "write @" + name);
  }
  return std::nullopt;
}

std::optional<LimitsFlaw> flaw_of(const LimitsLine& line, const SysRoot& root) {
  if (!is_plain(line)) {
    return flaw_at(line, "a letter that is not ASCII, such as a long dash from a web page",
                   "type the line by hand: @audio - rtprio 95");
  }
  if (line.words.size() == 2 && line.words[1] == "-") return std::nullopt;  // never limited
  if (line.words.size() < kWords) {
    return flaw_at(line, "is ignored, it has not the four words WHO TYPE ITEM VALUE",
                   "write it like @audio - rtprio 95");
  }
  const std::string type = lower(line.words[1]);
  if (type != "-" && type != "hard" && type != "soft") {
    return flaw_at(line, "'" + line.words[1] + "' is no type", "write -, hard or soft in its place");
  }
  const std::string item = lower(line.words[2]);
  if (!is_item(item)) {
    const std::string_view meant = nearest_item(item);
    return flaw_at(line, "'" + line.words[2] + "' is no limit",
                   meant.empty() ? "limits.conf(5) lists the names" : "write " + std::string(meant));
  }
  if (!is_value(item, line.words[3]))
    return flaw_at(line, "'" + line.words[3] + "' is no value", "write a whole number or unlimited");
  if (item == "rtprio" && leading_number(line.words[3]).value_or(0) > kHighestPriority) {
    return flaw_at(line, "there is no priority " + line.words[3], "write 1 to 99");
  }
  return flaw_of_who(line, root);
}

/// What editors and package managers leave, and what was switched off on purpose.
bool is_set_aside(std::string_view file) {
  for (const std::string_view end : {"~", ".bak", ".orig", ".disabled", ".rpmnew", ".rpmsave", ".pacnew"}) {
    if (file.ends_with(end)) return true;
  }
  return file.find(".dpkg-") != std::string_view::npos;
}

/// The same name, but read.
std::string named_conf(const std::string& file) {
  const std::string name = base_name(file);
  return file.substr(0, file.size() - name.size()) + name.substr(0, name.rfind('.')) + ".conf";
}

}  // namespace

std::vector<LimitsLine> parse_limits_lines(std::string_view text, const std::string& file) {
  std::vector<LimitsLine> lines;
  int number = 0;
  for (const std::string_view line : split_at(text, '\n')) {
    ++number;
    const auto words = split_words(line.substr(0, line.find('#')));
    if (!words.empty())
      lines.push_back({file, number, {words.begin(), words.end()}, file.ends_with(".conf")});
  }
  return lines;
}

std::vector<LimitsLine> read_limits_lines(const SysRoot& root) {
  std::vector<std::string> files{kMainFile};
  for (const std::string& name : root.list(kLimitsDirectory))
    files.push_back(kLimitsDirectory + ("/" + name));
  std::vector<LimitsLine> lines;
  for (const std::string& file : files) {
    const auto of_file = parse_limits_lines(root.read(file).value_or(""), file);
    lines.insert(lines.end(), of_file.begin(), of_file.end());
  }
  return lines;
}

bool sets_limit(const LimitsLine& line, std::string_view item) {
  return line.words.size() >= kWords && line.words[2] == item;
}

std::vector<LimitsFlaw> find_limits_flaws(const std::vector<LimitsLine>& lines, const SysRoot& root) {
  std::vector<LimitsFlaw> flaws;
  for (const LimitsLine& line : lines) {
    if (line.is_read) {
      if (auto flaw = flaw_of(line, root)) flaws.push_back(std::move(*flaw));
      continue;
    }
    const bool sets = line.words.size() >= kWords && is_item(lower(line.words[2]));
    const bool told = !flaws.empty() && flaws.back().place == line.file;
    if (!sets || told || is_set_aside(line.file)) continue;
    flaws.push_back({line.file, "is not read, only names that end in .conf are",
                     "sudo mv " + line.file + " " + named_conf(line.file)});
  }
  return flaws;
}

}  // namespace xrunlab
