#include <algorithm>
#include <array>
#include <optional>

#include "doctor_grading.hpp"
#include "xrunlab/model/doctor_checks.hpp"

namespace xrunlab {
namespace {

template <std::size_t Count>
bool is_among(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The file system of the directory; null without one.
const FileStorage* place_of(const DoctorFacts& facts) {
  return facts.disk.files.empty() || facts.disk.files.front().filesystem.empty() ? nullptr
                                                                                 : &facts.disk.files.front();
}

DoctorFinding check_file_system(const DoctorFacts& facts) {
  static constexpr std::array<std::string_view, 4> kMemory{"tmpfs", "ramfs", "rootfs", "devtmpfs"};
  static constexpr std::array<std::string_view, 9> kNetwork{"nfs",  "nfs4", "cifs",     "smb3",  "9p",
                                                            "ceph", "afs",  "virtiofs", "vboxsf"};
  const FileStorage* const place = place_of(facts);
  if (place == nullptr) return not_here("file-system", "its mount is not in /proc/self/mountinfo");
  const std::string& type = place->filesystem;
  const std::string where = type + " on " + place->mount_point;
  const std::string mend = "name a directory on a disk of this machine";
  const bool in_memory = place->reason.find("lives in memory") != std::string::npos;
  if (is_among(type, kMemory) || in_memory)
    return bad("file-system", where + " lives in memory: a run from it says nothing about a disk", mend);
  if (is_among(type, kNetwork))
    return poor("file-system", where + " is another machine's: each read waits for it and the way there",
                mend);
  if (type.starts_with("fuse"))
    return poor("file-system", where + ": every read goes through a process that may be slow or wait", mend);
  if (type == "overlay") {
    return poor("file-system", where + ": another file system lies below, which is not seen from here",
                "name a directory that is a mount of its own (of a container: a volume)");
  }
  return good("file-system", where);
}

/// An option that costs something while audio is read or recorded.
struct CostlyOption {
  std::string_view name;
  std::string_view why;
  std::string_view instead;
};

constexpr std::array<CostlyOption, 5> kCostlyOptions{
    {{"strictatime", "each read of a file is followed by a write of its time", "relatime or noatime"},
     {"sync", "every write waits for the disk", "async"},
     {"dirsync", "each file that is made waits for the disk", "without dirsync"},
     {"data=journal", "all that is recorded is written twice", "data=ordered"},
     {"discard", "freed blocks are told to the disk at once, which may hold up its reads",
      "without discard, and fstrim.timer"}}};

DoctorFinding check_mount_options(const DoctorFacts& facts) {
  const FileStorage* const place = place_of(facts);
  if (place == nullptr) return not_here("mount-options", "its mount is not in /proc/self/mountinfo");
  const std::string options = "," + place->mount_options + "," + place->super_options + ",";
  const auto has = [&options](std::string_view option) {
    return options.find("," + std::string(option) + ",") != std::string::npos;
  };
  std::string reason;
  std::string instead;
  const auto add = [&](std::string_view name, std::string_view why, std::string_view other) {
    reason += (reason.empty() ? "" : "; ") + std::string(name) + ": " + std::string(why);
    instead += (instead.empty() ? "" : ", ") + std::string(other);
  };
  for (const auto& option : kCostlyOptions) {
    if (has(option.name)) add(option.name, option.why, option.instead);
  }
  const bool sets_times = !has("ro") && !has("noatime") && !has("relatime") && !has("strictatime");
  // Without any of them the kernel does what strictatime says.
  if (sets_times && place->reason.empty())
    add("neither noatime nor relatime", kCostlyOptions.front().why, kCostlyOptions.front().instead);
  if (place->filesystem == "btrfs" && options.find(",compress") != std::string::npos)
    add("compress", "files are read whole extents at a time and unpacked", "without compress");
  if (reason.empty()) return good("mount-options", place->mount_options);
  return poor("mount-options", reason, "in the line of " + place->mount_point + " in /etc/fstab: " + instead);
}

const BlockDeviceInfo* device_named(const DoctorFacts& facts, const std::string& name) {
  for (const auto& device : facts.disk.devices) {
    if (device.name == name) return &device;
  }
  return nullptr;
}

bool is_virtual_disk(const std::string& name) {
  return name.starts_with("vd") || name.starts_with("xvd");
}

/// Of one disk; nothing where none can be chosen.
std::optional<DoctorFinding> check_scheduler_of(const BlockDeviceInfo& device) {
  static constexpr std::array<std::string_view, 3> kUnsorted{"none", "noop", "anticipatory"};
  const QueueSetting* const setting = find_setting(device, "scheduler");
  const std::string scheduler = setting == nullptr ? "" : setting->value.value_or("");
  if (scheduler.empty()) return std::nullopt;
  const std::string text = device.name + ": " + scheduler;
  if (is_virtual_disk(device.name))
    return good("disk-scheduler", text + " (a virtual disk: its host's scheduler decides more)");
  if (!device.rotational)
    return not_here("disk-scheduler", text + ", but nothing tells whether the disk rotates");
  if (!*device.rotational || !is_among(scheduler, kUnsorted))
    return good("disk-scheduler", text + (*device.rotational ? " (rotating)" : " (not rotating)"));
  const auto& choices = setting->choices;
  const auto offers = [&choices](const char* name) {
    return std::find(choices.begin(), choices.end(), name) != choices.end();
  };
  const std::string better = offers("mq-deadline") ? "mq-deadline" : offers("bfq") ? "bfq" : "deadline";
  return poor("disk-scheduler",
              text + " (rotating): reads of many tracks are not put in the order of the disk",
              "echo " + better + " | sudo tee /sys/block/" + device.name +
                  "/queue/scheduler; xrunlab sweep --vary scheduler=all shows which is best");
}

DoctorFinding check_disk_scheduler(const DoctorFacts& facts) {
  if (facts.disk.files.empty()) return not_here("disk-scheduler", "no directory was looked at");
  const FileStorage& place = facts.disk.files.front();
  if (place.schedule_at.empty()) {
    return not_here("disk-scheduler",
                    place.reason.empty() ? "no disk was found below the directory" : place.reason);
  }
  std::optional<DoctorFinding> worst;
  std::string reasons;
  for (const auto& name : place.schedule_at) {
    const BlockDeviceInfo* const device = device_named(facts, name);
    auto finding = device == nullptr ? std::nullopt : check_scheduler_of(*device);
    if (!finding) continue;
    reasons += (reasons.empty() ? "" : "; ") + finding->reason;
    const auto rank = [](DoctorGrade grade) {
      return grade == DoctorGrade::warn ? 2 : grade == DoctorGrade::ok ? 0 : 1;
    };
    if (!worst || rank(finding->grade) > rank(worst->grade)) worst = std::move(finding);
  }
  if (!worst) return not_here("disk-scheduler", place.schedule_at.front() + " has no scheduler to choose");
  worst->reason = reasons;
  return *worst;
}

}  // namespace

std::vector<DoctorFinding> check_storage(const DoctorFacts& facts) {
  return {check_file_system(facts), check_mount_options(facts), check_disk_scheduler(facts)};
}

}  // namespace xrunlab
