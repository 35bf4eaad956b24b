#include "xrunlab/platform/control_group.hpp"

#include <algorithm>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

struct Membership {
  std::string path;
  std::string mount;  ///< where the hierarchy is mounted
};

std::string mount_of(std::string_view controllers, const SysRoot& root) {
  if (controllers.empty()) {
    // Beside version 1 hierarchies the unified one has a directory of its own.
    return root.exists("/sys/fs/cgroup/unified") ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup";
  }
  const std::string_view name = controllers.starts_with("name=") ? controllers.substr(5) : controllers;
  return "/sys/fs/cgroup/" + std::string(name);
}

std::optional<Membership> membership(std::string_view controller, const SysRoot& root) {
  const auto text = root.read("/proc/self/cgroup");
  if (!text) return std::nullopt;
  std::optional<Membership> unified;
  for (const std::string_view line : split_at(*text, '\n')) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string path(line.substr(second + 1));
    if (controllers.empty()) {
      unified = Membership{path, mount_of("", root)};
      continue;
    }
    const auto names = split_at(controllers, ',');
    const std::string_view wanted = controller.empty() ? "name=systemd" : controller;
    if (std::find(names.begin(), names.end(), wanted) == names.end()) continue;
    std::string mount = mount_of(controllers, root);
    if (!root.exists(mount)) mount = mount_of(wanted, root);
    return Membership{path, mount};
  }
  return unified;
}

}  // namespace

std::optional<std::string> control_group_path(std::string_view controller, const SysRoot& root) {
  const auto found = membership(controller, root);
  if (!found) return std::nullopt;
  return found->path;
}

std::vector<std::string> control_group_directories(std::string_view controller, const SysRoot& root) {
  const auto found = membership(controller, root);
  std::vector<std::string> directories;
  if (!found) return directories;
  std::string path = found->path == "/" ? "" : found->path;
  for (;;) {
    directories.push_back(found->mount + path);
    const auto slash = path.rfind('/');
    if (path.empty() || slash == std::string::npos) return directories;
    path.resize(slash);
  }
}

}  // namespace xrunlab
