#include "xrunlab/platform/shared_memory.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/process_tree.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kPlace = "/dev/shm/";
constexpr std::string_view kGone = " (deleted)";
constexpr std::string_view kRegistry = "jack-shm-registry";

using Names = std::set<std::string>;

void add_name(std::string_view path, Names& names) {
  if (!path.starts_with(kPlace) || path.ends_with(kGone) || path.ends_with(kRegistry)) return;
  names.emplace(path);
}

/// What one process has mapped; the path of a mapping stands at its line's end (proc(5)).
void add_mapped(const std::string& pid, const SysRoot& root, Names& names) {
  const auto maps = root.read("/proc/" + pid + "/maps");
  if (!maps) return;
  for (const auto line : split_at(*maps, '\n')) {
    if (const auto at = line.find(kPlace); at != std::string_view::npos) add_name(line.substr(at), names);
  }
}

void add_open(const std::string& pid, const SysRoot& root, Names& names) {
  const std::string folder = "/proc/" + pid + "/fd";
  for (const auto& fd : root.list(folder)) add_name(root.read_link(folder + "/" + fd).value_or(""), names);
}

}  // namespace

std::vector<std::filesystem::path> shared_memory_of_tree(pid_t top, const SysRoot& root) {
  const std::vector<pid_t> tree = processes_of_tree(top, root);
  Names names;
  for (const pid_t pid : tree) {
    add_mapped(std::to_string(pid), root, names);
    add_open(std::to_string(pid), root, names);
  }
  if (names.empty()) return {};
  Names of_others;
  for (const auto& name : root.list("/proc")) {
    const auto pid = leading_number(name);
    if (!pid || std::find(tree.begin(), tree.end(), static_cast<pid_t>(*pid)) != tree.end()) continue;
    add_mapped(name, root, of_others);
  }
  std::vector<std::filesystem::path> own;
  for (const auto& name : names) {
    if (!of_others.contains(name)) own.emplace_back(name);
  }
  return own;
}

}  // namespace xrunlab
