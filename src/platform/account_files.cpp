#include "xrunlab/platform/account_files.hpp"

#include <algorithm>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kGroupFile = "/etc/group";  // NAME:PASSWORD:NUMBER:USER,USER
constexpr std::string_view kUserFile = "/etc/passwd";  // NAME:PASSWORD:NUMBER:GROUP:…

/// The fields of the line whose field `index` is `value`; empty without one.
std::vector<std::string> account_line(std::string_view file, std::size_t index, std::string_view value,
                                      const SysRoot& root) {
  const std::string text = root.read(file).value_or("");
  for (const std::string_view line : split_at(text, '\n')) {
    const auto fields = split_at(line, ':');
    if (fields.size() >= 3 && fields[index] == value) return {fields.begin(), fields.end()};
  }
  return {};
}

std::vector<std::int64_t> status_numbers(std::string_view key, const SysRoot& root) {
  const std::string status = root.read("/proc/self/status").value_or("");
  std::vector<std::int64_t> numbers;
  for (const std::string_view word : split_words(value_of(status, key).value_or(""))) {
    if (const auto number = leading_number(word)) numbers.push_back(*number);
  }
  return numbers;
}

// "Uid:" and "Gid:" give the real, the effective, the saved and the file system's.
constexpr std::size_t kEffective = 1;

}  // namespace

std::optional<std::int64_t> group_id(std::string_view group, const SysRoot& root) {
  const auto fields = account_line(kGroupFile, 0, group, root);
  return fields.empty() ? std::nullopt : leading_number(fields[2]);
}

bool group_lists(std::string_view group, std::string_view user, const SysRoot& root) {
  const auto fields = account_line(kGroupFile, 0, group, root);
  if (fields.size() < 4 || user.empty()) return false;
  const auto members = split_at(fields[3], ',');
  return std::find(members.begin(), members.end(), user) != members.end();
}

bool user_exists(std::string_view user, const SysRoot& root) {
  return !account_line(kUserFile, 0, user, root).empty();
}

std::string user_name(std::int64_t uid, const SysRoot& root) {
  const auto fields = account_line(kUserFile, 2, std::to_string(uid), root);
  return fields.empty() ? "" : fields.front();
}

std::optional<std::int64_t> effective_user(const SysRoot& root) {
  const auto users = status_numbers("Uid", root);
  if (users.size() <= kEffective) return std::nullopt;
  return users[kEffective];
}

std::vector<std::int64_t> process_groups(const SysRoot& root) {
  std::vector<std::int64_t> groups = status_numbers("Groups", root);
  const auto own = status_numbers("Gid", root);
  if (own.size() > kEffective) groups.insert(groups.begin(), own[kEffective]);
  return groups;
}

bool process_is_in_group(std::string_view group, const SysRoot& root) {
  const auto id = group_id(group, root);
  const auto groups = process_groups(root);
  return id && std::find(groups.begin(), groups.end(), *id) != groups.end();
}

}  // namespace xrunlab
