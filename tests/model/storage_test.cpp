#include "xrunlab/model/storage.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace xrunlab {
namespace {

using Json = nlohmann::json;

DiskData one_disk() {
  BlockDeviceInfo disk;
  disk.name = "sda";
  disk.number = "8:0";
  disk.size_bytes = 1'000'204'886'016;
  disk.model = "Samsung SSD";
  disk.rotational = false;
  disk.settings = {{"hw_sector_size", "512", false, {}},
                   {"scheduler", "bfq", true, {"none", "bfq"}},
                   {"wbt_lat_usec", std::nullopt, true, {}},
                   {"iosched.slice_idle", "8", true, {}}};
  FileStorage file;
  file.path = "/data/caf\xE9.wav";
  file.filesystem = "ext4";
  file.devices = file.disks = file.schedule_at = {"sda"};
  return {"1.2.3", {file}, {disk}};
}

TEST(StorageJson, KeepsSettingsAndFactsApart) {
  const auto json = Json::parse(to_json(one_disk()));
  EXPECT_EQ(json["schema"], "xrunlab/disk/1");
  EXPECT_EQ(json["version"], "1.2.3");
  const auto& disk = json["devices"][0];
  EXPECT_EQ(disk["kind"], "disk");
  EXPECT_EQ(disk["size_bytes"], 1'000'204'886'016);
  EXPECT_EQ(disk["rotational"], false);
  EXPECT_EQ(disk["schedulers"], (Json{"none", "bfq"}));
  EXPECT_EQ(disk["settings"],
            (Json{{"scheduler", "bfq"}, {"wbt_lat_usec", nullptr}, {"iosched.slice_idle", "8"}}));
  EXPECT_EQ(disk["facts"], (Json{{"hw_sector_size", "512"}}));
  EXPECT_EQ(json["files"][0]["disks"], Json{"sda"});
  EXPECT_EQ(json["files"][0]["path"], "/data/caf\uFFFDE9.wav") << "bytes that are no UTF-8 as in a run file";
}

TEST(StorageJson, WhatIsUnknownIsNull) {
  auto disks = one_disk();
  disks.devices.front() = {};
  const auto disk = Json::parse(to_json(disks))["devices"][0];
  EXPECT_TRUE(disk["size_bytes"].is_null());
  EXPECT_TRUE(disk["rotational"].is_null());
  EXPECT_EQ(disk["settings"], Json::object());
  EXPECT_EQ(disk["schedulers"], Json::array());
}

TEST(Storage, ASettingIsFoundByItsName) {
  const auto disk = one_disk().devices.front();
  ASSERT_NE(find_setting(disk, "iosched.slice_idle"), nullptr);
  EXPECT_EQ(find_setting(disk, "iosched.slice_idle")->value, "8");
  EXPECT_EQ(find_setting(disk, "slice_idle"), nullptr);
}

}  // namespace
}  // namespace xrunlab
