#include "xrunlab/platform/setting_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/platform/queue_settings.hpp"

namespace xrunlab {
namespace {

constexpr std::array<std::string_view, 4> kAreaNames{"queue", "bdi", "vm", "cpufreq"};

// Both halves of each pair: writing one makes the kernel set the other to 0.
constexpr std::array<std::string_view, 7> kVmFiles{"dirty_bytes",
                                                   "dirty_ratio",
                                                   "dirty_background_bytes",
                                                   "dirty_background_ratio",
                                                   "dirty_expire_centisecs",
                                                   "dirty_writeback_centisecs",
                                                   "swappiness"};

std::string area_directory(const SettingOwner& owner) {
  switch (owner.area) {
    case SettingArea::queue:
      return "/sys/class/block/" + owner.name + "/queue";
    case SettingArea::bdi:
      return "/sys/class/bdi/" + owner.name;
    case SettingArea::vm:
      return "/proc/sys/vm";
    case SettingArea::cpufreq:
      break;
  }
  return "/sys/devices/system/cpu/cpufreq/" + owner.name;
}

bool is_setting(const SysRoot& root, const std::string& path) {
  // sysfs gives its owner the right to write to what is a setting, and to nothing else.
  return root.is_regular_file(path) && root.is_writable(path);
}

}  // namespace

std::string_view to_string(SettingArea area) {
  return kAreaNames.at(static_cast<std::size_t>(area));
}

std::optional<SettingArea> setting_area_named(std::string_view name) {
  const auto found = std::find(kAreaNames.begin(), kAreaNames.end(), name);
  if (found == kAreaNames.end()) return std::nullopt;
  return static_cast<SettingArea>(found - kAreaNames.begin());
}

bool is_plain_name(std::string_view name) {
  constexpr std::size_t kLongest = 128;
  const auto allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') ||
           std::string_view("-_.:!").find(letter) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::string owner_directory(const SettingOwner& owner) {
  const bool named = owner.area == SettingArea::vm ? owner.name.empty() : is_plain_name(owner.name);
  if (named) return area_directory(owner);
  throw Error(ExitCode::system,
              "'" + owner.name + "' cannot be the name of a device in " + std::string(to_string(owner.area)));
}

std::string name_of(const SettingOwner& owner) {
  return owner.area == SettingArea::vm ? "vm" : owner.name;
}

std::string describe(const SettingFile& file) {
  if (file.owner.area == SettingArea::vm) return "vm." + file.name;
  return file.owner.name + (file.scheduler.empty() ? " " : " iosched.") + file.name;
}

std::string SettingFiles::path(const SettingFile& file) const {
  if (!is_plain_name(file.name)) {
    throw Error(ExitCode::system, "'" + file.name + "' cannot be the name of a setting");
  }
  return owner_directory(file.owner) + (file.scheduler.empty() ? "/" : "/iosched/") + file.name;
}

std::optional<std::string> SettingFiles::read(const SettingFile& file) const {
  if (!file.scheduler.empty() && active_scheduler_of(file.owner.name) != file.scheduler) return std::nullopt;
  auto text = root_.read(path(file));
  if (!text || text->find_first_of("\n\t") != std::string::npos) return std::nullopt;
  if (file.owner.area == SettingArea::queue && file.name == "scheduler") return active_scheduler(*text);
  return text;
}

int SettingFiles::write(const SettingFile& file, std::string_view value) {
  return write_text(path(file), value);
}

int SettingFiles::write_text(const std::string& absolute, std::string_view text) {
  const UniqueFd file(::open(root_.path(absolute).c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!file) return errno;
  // With the newline, as echo writes it: some files of /proc want it. In one call: each is one setting.
  const std::string line = std::string(text) + "\n";
  for (;;) {
    const ssize_t written = ::write(file.get(), line.data(), line.size());
    if (written >= 0) return written == static_cast<ssize_t>(line.size()) ? 0 : EIO;
    if (errno != EINTR) return errno;
  }
}

std::string SettingFiles::active_scheduler_of(const std::string& disk) const {
  return active_scheduler(root_.read(path({{SettingArea::queue, disk}, "", "scheduler"})).value_or(""));
}

std::vector<SettingRecord> SettingFiles::snapshot(const SettingOwner& owner) const {
  const std::string directory = owner_directory(owner);
  std::vector<std::string> names;
  if (owner.area == SettingArea::queue) {
    names = root_.list(directory);
    // First here is last to be put back: then the scheduler's switch cannot spoil it for the next pass.
    std::stable_partition(names.begin(), names.end(), [](const auto& name) { return name == "scheduler"; });
  } else if (owner.area == SettingArea::vm) {
    names.assign(kVmFiles.begin(), kVmFiles.end());
  } else {
    names = {owner.area == SettingArea::bdi ? "read_ahead_kb" : "scaling_governor"};
  }
  std::vector<SettingRecord> records;
  const auto add = [&](const SettingFile& file) {
    if (!is_plain_name(file.name) || !is_setting(root_, path(file))) return;
    if (auto value = read(file)) records.push_back({file, std::move(*value)});
  };
  for (const std::string& name : names) add({owner, "", name});
  const std::string scheduler = owner.area == SettingArea::queue ? active_scheduler_of(owner.name) : "";
  if (scheduler.empty()) return records;
  for (const std::string& name : root_.list(directory + "/iosched")) add({owner, scheduler, name});
  return records;
}

}  // namespace xrunlab
