#include "xrunlab/platform/container.hpp"

#include <charconv>

#include "xrunlab/platform/mount_table.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

/// A virtual machine made from a container's image keeps the image's marks, but its root is a whole disk.
bool root_is_a_whole_disk(const SysRoot& root) {
  for (const Mount& mount : read_mounts(root)) {
    if (mount.point == "/" && mount.subtree == "/" && mount.major != 0) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> container_name(const SysRoot& root) {
  // systemd and the container managers agreed on this variable; only root may read it on a usual machine.
  const std::string environment = root.read("/proc/1/environ").value_or("");
  for (const std::string_view entry : split_at(environment, '\0')) {
    constexpr std::string_view kKey = "container=";
    if (entry.starts_with(kKey) && entry.size() > kKey.size()) return std::string(entry.substr(kKey.size()));
  }
  if (const auto manager = root.read("/run/systemd/container"); manager && !manager->empty()) return *manager;
  if (root.exists("/run/.containerenv")) return "podman";
  const std::string groups = root.read("/proc/1/cgroup").value_or("");
  for (const char* const name : {"docker", "kubepods", "lxc"}) {
    if (groups.find(std::string("/") + name) != std::string::npos) return name;
  }
  if (root.exists("/.dockerenv") && !root_is_a_whole_disk(root)) return "docker";
  return std::nullopt;
}

bool has_capability(int number, const SysRoot& root) {
  const std::string status = root.read("/proc/self/status").value_or("");
  const auto text = value_of(status, "CapEff");
  if (!text) return false;
  std::uint64_t set = 0;
  std::from_chars(text->data(), text->data() + text->size(), set, 16);
  return (set >> number & 1) != 0;
}

}  // namespace xrunlab
