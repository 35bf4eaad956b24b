#include "xrunlab/platform/limits.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/control_group.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kMiB = Bytes{1} << 20;

std::int64_t limit_value(rlim_t value) {
  return value == RLIM_INFINITY ? kUnlimited : static_cast<std::int64_t>(value);
}

std::optional<Bytes> group_number(const std::string& file, const SysRoot& root) {
  const auto text = root.read(file);
  if (!text) return std::nullopt;  // "max" is no number and means none
  return leading_number(*text);
}

/// What is left of this group's limit; its inactive page cache is dropped before it counts.
std::optional<Bytes> left_in_group(const std::string& directory, const SysRoot& root) {
  struct Names {
    const char* limit;
    const char* usage;
    const char* reclaimable;
  };
  for (const Names& names :
       {Names{"/memory.max", "/memory.current", "inactive_file"},
        Names{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"}}) {
    const auto limit = group_number(directory + names.limit, root);
    const auto usage = group_number(directory + names.usage, root);
    if (!limit || !usage) continue;
    Bytes reclaimable = 0;
    const std::string statistics = root.read(directory + "/memory.stat").value_or("");
    for (const std::string_view line : split_at(statistics, '\n')) {
      const auto words = split_words(line);
      if (words.size() == 2 && words[0] == names.reclaimable)
        reclaimable = leading_number(words[1]).value_or(0);
    }
    return std::max<Bytes>(0, *limit - *usage + reclaimable);
  }
  return std::nullopt;
}

std::string mib(Bytes bytes) {
  return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB";
}

}  // namespace

std::optional<ResourceLimit> find_limit(std::string_view name, const SysRoot& root) {
  const std::string text = root.read("/proc/self/limits").value_or("");
  for (const std::string_view line : split_at(text, '\n')) {
    if (!line.starts_with(name)) continue;
    const auto words = split_words(line.substr(name.size()));
    if (words.size() < 2) continue;
    return ResourceLimit{leading_number(words[0]).value_or(kUnlimited),
                         leading_number(words[1]).value_or(kUnlimited)};
  }
  return std::nullopt;
}

ResourceLimit read_limit(std::string_view name, const SysRoot& root) {
  return find_limit(name, root).value_or(ResourceLimit{});
}

void raise_open_files_limit(std::int64_t needed, const SysRoot& root) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    throw Error(ExitCode::system, "cannot read the limit of open files");
  const auto wanted = static_cast<rlim_t>(needed);
  if (limit.rlim_cur >= wanted) return;  // RLIM_INFINITY is the largest value
  rlimit raised{wanted, std::max(limit.rlim_max, wanted)};
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) return;
  const std::string count = std::to_string(needed);
  const auto ceiling = root.read_integer("/proc/sys/fs/nr_open");
  if (ceiling && *ceiling < needed) {
    throw Error(
        ExitCode::system,
        "this run needs " + count + " open files, the kernel allows a process " + std::to_string(*ceiling),
        "sysctl fs.nr_open=" + count);
  }
  throw Error(
      ExitCode::system,
      "this run needs " + count + " open files, the hard limit is " +
          std::to_string(limit_value(limit.rlim_max)),
      "as root `ulimit -n " + count + "` before the start, or for good \"* - nofile " + count +
          "\" in /etc/security/limits.d/nofile.conf and a new login; in a systemd service LimitNOFILE=" +
          count);
}

ResourceLimit raise_locked_memory_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return {0, 0};
  rlimit raised{limit.rlim_max, limit.rlim_max};
  if (limit.rlim_cur != limit.rlim_max && ::setrlimit(RLIMIT_MEMLOCK, &raised) == 0) limit = raised;
  return {limit_value(limit.rlim_cur), limit_value(limit.rlim_max)};
}

Bytes available_memory_bytes(const SysRoot& root) {
  const std::string text = root.read("/proc/meminfo").value_or("");
  const auto line = value_of(text, "MemAvailable");
  const auto kibibytes = line ? leading_number(*line) : std::nullopt;
  Bytes available = kibibytes ? *kibibytes * 1024 : -1;
  for (const std::string& directory : control_group_directories("memory", root)) {
    const auto left = left_in_group(directory, root);
    if (left && (available < 0 || *left < available)) available = *left;
  }
  return available;
}

void check_memory_for(std::string_view purpose, Bytes needed, const SysRoot& root) {
  const Bytes available = available_memory_bytes(root);
  if (available < 0 || needed <= available) return;
  throw Error(
      ExitCode::system,
      std::string(purpose) + " needs " + mib(needed) + " of memory, " + mib(available) + " are available",
      "take a shorter --ring or fewer tracks, or free memory");
}

}  // namespace xrunlab
