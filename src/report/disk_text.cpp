#include "xrunlab/report/disk_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kDiskTextColumn = 16;
constexpr std::size_t kMostWays = 32;  // a disk in a hundred mapped devices must not fill the screen

std::string entry(std::string_view label, std::string_view text) {
  return text.empty() ? "" : labelled(fmt::format("  {}", label), kDiskTextColumn, text);
}

/// Of files in the same place only the name differs.
bool lie_alike(const FileStorage& one, const FileStorage& other) {
  const auto place = [](const FileStorage& file) {
    return std::tie(file.filesystem, file.mount_point, file.mount_source, file.mount_options,
                    file.super_options, file.devices, file.disks, file.schedule_at, file.read_ahead_file,
                    file.reason);
  };
  return place(one) == place(other);
}

using FileGroup = std::vector<const FileStorage*>;

std::vector<FileGroup> grouped(const std::vector<FileStorage>& files) {
  std::vector<FileGroup> groups;
  for (const auto& file : files) {
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&file](const auto& other) { return lie_alike(*other.front(), file); });
    if (group == groups.end()) {
      groups.push_back({&file});
    } else {
      group->push_back(&file);
    }
  }
  return groups;
}

std::string title(const FileGroup& group) {
  if (group.size() == 1) return group.front()->path;
  return fmt::format("{} files, {} .. {}", group.size(), group.front()->path, group.back()->path);
}

/// Every way from the file system down to a disk.
class WaysDown {
 public:
  explicit WaysDown(const std::vector<BlockDeviceInfo>& devices) : devices_(devices) {}

  std::vector<std::string> from(const std::vector<std::string>& names) {
    for (const auto& name : names) follow(name);
    if (ways_.size() > kMostWays) ways_.back() = "... and others";
    return ways_;
  }

 private:
  void follow(const std::string& name) {
    const bool again = std::find(way_.begin(), way_.end(), name) != way_.end();
    if (again || ways_.size() > kMostWays) return;
    way_.push_back(name);
    const auto device = std::find_if(devices_.begin(), devices_.end(),
                                     [&name](const auto& other) { return other.name == name; });
    if (device == devices_.end() || device->below.empty()) {
      ways_.push_back(fmt::format("{}", fmt::join(way_, " -> ")));
    } else {
      for (const auto& below : device->below) follow(below);
    }
    way_.pop_back();
  }

  const std::vector<BlockDeviceInfo>& devices_;
  std::vector<std::string> way_;
  std::vector<std::string> ways_;
};

std::string place_text(const FileStorage& file) {
  if (file.filesystem.empty()) return "";
  return entry("file system",
               fmt::format("{} on {} from {}", file.filesystem, file.mount_point, file.mount_source)) +
         entry("options", file.mount_options) + entry("", "of the file system: " + file.super_options);
}

std::string group_text(const FileGroup& group, const DiskData& disks) {
  const FileStorage& file = *group.front();
  std::string text = labelled("", 0, title(group)) + place_text(file);
  std::string label = "way down";
  for (const auto& way : WaysDown(disks.devices).from(file.devices)) {
    text += entry(label, way);
    label.clear();
  }
  text += entry(label, file.reason);
  if (file.schedule_at != file.disks) text += entry("disks", fmt::format("{}", fmt::join(file.disks, ", ")));
  return text + entry("scheduled at", fmt::format("{}", fmt::join(file.schedule_at, ", "))) +
         entry("read-ahead", file.read_ahead_file);
}

std::string kind_text(const BlockDeviceInfo& device) {
  std::string text(to_string(device.kind));
  if (!device.label.empty()) text += " " + device.label;
  if (device.size_bytes >= 0) text += ", " + binary_bytes(device.size_bytes);
  if (device.rotational) text += *device.rotational ? ", rotational" : ", not rotational";
  if (!device.model.empty()) text += ", " + device.model;
  if (!device.backing_file.empty()) text += ", of " + device.backing_file;
  return text;
}

/// "read_ahead_kb=128 write_cache="write back" wbt_lat_usec=?": the last cannot be read.
std::string settings_text(const BlockDeviceInfo& device, bool writable, bool of_scheduler) {
  constexpr std::string_view kOfScheduler = "iosched.";
  std::string text;
  for (const auto& setting : device.settings) {
    const bool wanted = setting.writable == writable && setting.choices.empty() &&
                        setting.name.starts_with(kOfScheduler) == of_scheduler;
    if (!wanted) continue;
    const std::string value = setting.value.value_or("?");
    const bool quoted = value.empty() || value.find(' ') != std::string::npos;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ",
                        setting.name.substr(of_scheduler ? kOfScheduler.size() : 0),
                        quoted ? '"' + value + '"' : value);
  }
  return text;
}

std::string scheduler_text(const BlockDeviceInfo& device) {
  const QueueSetting* const scheduler = find_setting(device, "scheduler");
  if (scheduler == nullptr) return "";
  std::string text;
  for (const auto& choice : scheduler->choices) {
    text += (text.empty() ? "" : " ") + (choice == scheduler->value ? '[' + choice + ']' : choice);
  }
  return text;
}

std::string device_text(const BlockDeviceInfo& device) {
  return "\n" + labelled(printable(device.name) + " ", kDiskTextColumn, kind_text(device)) +
         entry("scheduler", scheduler_text(device)) + entry("iosched", settings_text(device, true, true)) +
         entry("queue", settings_text(device, true, false)) +
         entry("read-only", settings_text(device, false, false));
}

}  // namespace

std::string disk_text(const DiskData& disks) {
  std::string text;
  for (const auto& group : grouped(disks.files)) {
    text += (text.empty() ? "" : "\n") + group_text(group, disks);
  }
  for (const auto& device : disks.devices) text += device_text(device);
  return text;
}

}  // namespace xrunlab
