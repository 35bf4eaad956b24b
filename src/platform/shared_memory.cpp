#include "xrunlab/platform/shared_memory.hpp"

#include <unistd.h>

#include <set>
#include <string>
#include <string_view>

#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/process_tree.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kPlace = "/dev/shm/";
constexpr std::string_view kGone = " (deleted)";

using Names = std::set<std::string>;

void add_name(std::string_view path, Names& names) {
  if (!path.starts_with(kPlace) || path.ends_with(kGone)) return;
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

/// What bears the name of a server or client that this process has named, as JACK's sockets do:
/// "…xrunlab-PID…".
void add_named(pid_t pid, const SysRoot& root, Names& names) {
  const std::string mark = "xrunlab-" + std::to_string(pid);
  for (const auto& name : root.list(kPlace)) {
    const auto at = name.find(mark);
    if (at == std::string::npos) continue;
    const std::string_view behind = std::string_view(name).substr(at + mark.size());
    if (behind.empty() || behind.front() < '0' || behind.front() > '9')
      names.insert(std::string(kPlace) + name);
  }
}

}  // namespace

std::vector<std::filesystem::path> shared_memory_of_tree(pid_t top, const SysRoot& root) {
  Names names;
  for (const pid_t pid : processes_of_tree(top, root)) {
    add_named(pid, root, names);
    add_mapped(std::to_string(pid), root, names);
    add_open(std::to_string(pid), root, names);
  }
  return {names.begin(), names.end()};
}

std::vector<std::filesystem::path> unmapped(const std::vector<std::filesystem::path>& paths,
                                            const SysRoot& root) {
  if (paths.empty()) return {};
  Names mapped;
  for (const auto& name : root.list("/proc")) {
    if (leading_number(name)) add_mapped(name, root, mapped);
  }
  std::vector<std::filesystem::path> left;
  for (const auto& path : paths) {
    if (!mapped.contains(path.string())) left.push_back(path);
  }
  return left;
}

void remove_unmapped(const std::vector<std::filesystem::path>& paths) noexcept {
  try {
    for (const auto& path : unmapped(paths)) {
      ::unlink(path.c_str());
      const auto directory = path.parent_path();
      if (directory.string().starts_with(kPlace)) ::rmdir(directory.c_str());
    }
  } catch (const std::exception&) {  // without memory they stay
  }
}

}  // namespace xrunlab
