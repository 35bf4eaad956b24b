#include "xrunlab/platform/device_access.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/platform/account_files.hpp"
#include "xrunlab/platform/container.hpp"

namespace xrunlab {
namespace {

DeviceAccess access_by_mode(const char* path, Opening opening, const SysRoot& root) {
  constexpr int kCapDacOverride = 1;  // linux/capability.h
  struct stat status {};
  if (::stat(path, &status) != 0) return DeviceAccess::absent;
  if (has_capability(kCapDacOverride, root)) return DeviceAccess::granted;
  const auto groups = process_groups(root);
  const bool in_group = std::find(groups.begin(), groups.end(), std::int64_t{status.st_gid}) != groups.end();
  const bool owns = effective_user(root) == std::int64_t{status.st_uid};
  // The mode's triples of bits: owner, group, others.
  const unsigned shift = owns ? 6 : in_group ? 3 : 0;
  const unsigned bit = opening == Opening::to_read ? 4 : 2;
  return (status.st_mode >> shift & bit) != 0 ? DeviceAccess::granted : DeviceAccess::refused;
}

}  // namespace

DeviceAccess device_access(std::string_view device, Opening opening, const SysRoot& root) {
  const std::string path = root.path(device);
  if (root.is_fake()) return access_by_mode(path.c_str(), opening, root);
  if (::faccessat(AT_FDCWD, path.c_str(), opening == Opening::to_read ? R_OK : W_OK, AT_EACCESS) == 0)
    return DeviceAccess::granted;
  return errno == ENOENT || errno == ENOTDIR ? DeviceAccess::absent : DeviceAccess::refused;
}

DeviceAccess sound_device_access(const SysRoot& root) {
  DeviceAccess all = DeviceAccess::absent;
  for (const std::string& name : root.list("/dev/snd")) {
    if (!name.starts_with("pcm") || !name.ends_with('p')) continue;
    const DeviceAccess access = device_access("/dev/snd/" + name, Opening::to_write, root);
    if (access == DeviceAccess::granted) return access;
    if (access == DeviceAccess::refused) all = access;
  }
  return all;
}

}  // namespace xrunlab
