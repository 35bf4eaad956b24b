#include "xrunlab/platform/mount_table.hpp"

#include <algorithm>
#include <charconv>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

/// Only all of the text.
std::optional<unsigned> whole_number(std::string_view text) {
  unsigned value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// proc(5): id parent major:minor root point options optional… - filesystem source super-options
std::optional<Mount> parse_line(std::string_view line) {
  const auto fields = split_at(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (fields.size() < 6 || fields.end() - dash < 3 || dash - fields.begin() < 6) return std::nullopt;
  const auto number = parse_device_number(fields[2]);
  if (!number) return std::nullopt;
  Mount mount{number->major,
              number->minor,
              unescape_octal(fields[3]),
              unescape_octal(fields[4]),
              unescape_octal(fields[5]),
              unescape_octal(dash[1]),
              unescape_octal(dash[2]),
              {}};
  if (fields.end() - dash > 3) mount.super_options = unescape_octal(dash[3]);
  return mount;
}

bool leads_to(std::string_view point, std::string_view path) {
  if (point == "/") return path.starts_with('/');
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

/// Of equal ones the last, which covers the others.
bool covers(const Mount& mount, const Mount* other) {
  return other == nullptr || mount.point.size() >= other->point.size();
}

}  // namespace

std::optional<DeviceNumber> parse_device_number(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto major = whole_number(text.substr(0, colon));
  const auto minor = whole_number(text.substr(colon + 1));
  if (!major || !minor) return std::nullopt;
  return DeviceNumber{*major, *minor};
}

std::vector<Mount> read_mounts(const SysRoot& root) {
  std::vector<Mount> mounts;
  const std::string text = root.read("/proc/self/mountinfo").value_or("");
  for (const std::string_view line : split_at(text, '\n')) {
    if (auto mount = parse_line(line)) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

std::optional<Mount> mount_of_file(const std::vector<Mount>& mounts, std::string_view path, unsigned major,
                                   unsigned minor) {
  const Mount* best = nullptr;
  bool best_has_number = false;
  for (const Mount& mount : mounts) {
    if (!leads_to(mount.point, path)) continue;
    const bool has_number = mount.major == major && mount.minor == minor;
    const bool better = has_number == best_has_number ? covers(mount, best) : best == nullptr || has_number;
    if (!better) continue;
    best = &mount;
    best_has_number = has_number;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::optional<Mount> longest_mount(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts) {
    if (leads_to(mount.point, path) && covers(mount, best)) best = &mount;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace xrunlab
