#include "xrunlab/report/disk_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

BlockDeviceInfo device(const std::string& name, DeviceKind kind, std::vector<std::string> below) {
  BlockDeviceInfo device;
  device.name = name;
  device.kind = kind;
  device.size_bytes = 512LL << 20;
  device.below = std::move(below);
  return device;
}

FileStorage file_on(const std::string& path, const std::string& name, std::vector<std::string> disks) {
  FileStorage file;
  file.path = path;
  file.filesystem = "xfs";
  file.mount_point = "/data";
  file.mount_source = "/dev/" + name;
  file.mount_options = "rw,noatime";
  file.super_options = "rw,attr2";
  file.devices = {name};
  file.disks = std::move(disks);
  file.schedule_at = file.disks;
  return file;
}

TEST(DiskText, ShowsTheWayDownAndEachQueue) {
  DiskData disks;
  disks.files = {file_on("/data/a.wav", "sda2", {"sda"})};
  disks.devices = {device("sda2", DeviceKind::partition, {"sda"}), device("sda", DeviceKind::disk, {})};
  disks.devices[1].rotational = true;
  disks.devices[1].model = "ST1000";
  disks.devices[1].settings = {
      {"hw_sector_size", "512", false, {}},        {"read_ahead_kb", "128", true, {}},
      {"scheduler", "bfq", true, {"none", "bfq"}}, {"wbt_lat_usec", std::nullopt, true, {}},
      {"write_cache", "write back", true, {}},     {"iosched.slice_idle", "8", true, {}}};
  EXPECT_EQ(disk_text(disks),
            "/data/a.wav\n"
            "  file system   xfs on /data from /dev/sda2\n"
            "  options       rw,noatime\n"
            "                of the file system: rw,attr2\n"
            "  way down      sda2 -> sda\n"
            "  scheduled at  sda\n"
            "\n"
            "sda2            partition, 512 MiB\n"
            "\n"
            "sda             disk, 512 MiB, rotational, ST1000\n"
            "  scheduler     none [bfq]\n"
            "  iosched       slice_idle=8\n"
            "  queue         read_ahead_kb=128 wbt_lat_usec=? write_cache=\"write back\"\n"
            "  read-only     hw_sector_size=512\n");
}

TEST(DiskText, FilesInOnePlaceAreOneGroup) {
  DiskData disks;
  disks.files = {file_on("/data/a.wav", "sda", {"sda"}), file_on("/data/z.wav", "sdb", {"sdb"}),
                 file_on("/data/b.wav", "sda", {"sda"})};
  disks.devices = {device("sda", DeviceKind::disk, {}), device("sdb", DeviceKind::disk, {})};
  const auto text = disk_text(disks);
  EXPECT_TRUE(text.starts_with("2 files, /data/a.wav .. /data/b.wav\n")) << text;
  EXPECT_NE(text.find("\n\n/data/z.wav\n"), std::string::npos) << text;
}

TEST(DiskText, ShowsEveryWay) {
  DiskData disks;
  auto file = file_on("/data/a.wav", "md0", {"sda", "sdb"});
  disks.devices = {device("md0", DeviceKind::md, {"dm-0", "sdb"}), device("dm-0", DeviceKind::dm, {"sda"}),
                   device("sda", DeviceKind::disk, {}), device("sdb", DeviceKind::disk, {})};
  disks.devices[0].label = "raid0";
  file.schedule_at = {"md0"};
  disks.files = {file};
  const auto text = disk_text(disks);
  EXPECT_NE(text.find("  way down      md0 -> dm-0 -> sda\n                md0 -> sdb\n"
                      "  disks         sda, sdb\n  scheduled at  md0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("md0             md raid0, 512 MiB\n"), std::string::npos) << text;
}

TEST(DiskText, ManyWaysAndCirclesEnd) {
  DiskData disks;
  disks.files = {file_on("/data/a.wav", "d0", {"d63"})};
  constexpr int kLayers = 32;
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string left = "d" + std::to_string(2 * layer + 2);
    const std::string right = "d" + std::to_string(2 * layer + 3);
    disks.devices.push_back(device("d" + std::to_string(2 * layer), DeviceKind::dm, {left, right, "d0"}));
    disks.devices.push_back(device("d" + std::to_string(2 * layer + 1), DeviceKind::dm, {left, right}));
  }
  const auto text = disk_text(disks);
  EXPECT_NE(text.find("... and others\n"), std::string::npos);
}

TEST(DiskText, WithoutADeviceItSaysWhy) {
  DiskData disks;
  auto file = file_on("/tmp/\x1b[2Ja.wav", "x", {});
  file.devices.clear();
  file.reason = "no block device (overlay)";
  disks.files = {file};
  const auto text = disk_text(disks);
  EXPECT_NE(text.find("  way down      no block device (overlay)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "a name must not drive the terminal";
  EXPECT_EQ(text.find("scheduled at"), std::string::npos);
}

TEST(DiskText, KeepsTo80Columns) {
  DiskData disks;
  disks.files = {file_on("/data/a.wav", "sda", {"sda"})};
  disks.files.front().super_options = std::string(200, 'x');
  disks.devices = {device("sda", DeviceKind::disk, {})};
  for (int index = 0; index < 60; ++index) {
    disks.devices[0].settings.push_back({"setting_" + std::to_string(index), "1", true, {}});
  }
  std::istringstream lines(disk_text(disks));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_columns(line), kReportColumns) << line;
}

}  // namespace
}  // namespace xrunlab
