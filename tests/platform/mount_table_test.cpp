#include "xrunlab/platform/mount_table.hpp"

#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

std::vector<Mount> mounts_of(std::string_view text) {
  test::FakeTree tree;
  tree.file("/proc/self/mountinfo", text);
  return read_mounts(tree.root());
}

TEST(MountTable, ReadsOptionalFieldsAndEscapes) {
  const auto mounts = mounts_of(
      "27 1 8:2 / / rw,relatime shared:1 master:2 - ext4 /dev/sda2 rw,discard\n"
      "nonsense\n"
      "30 27 8:17 / /mnt/my\\040disk rw - xfs /dev/sdb1\n");
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[0].filesystem, "ext4");
  EXPECT_EQ(mounts[0].source, "/dev/sda2");
  EXPECT_EQ(mounts[0].options, "rw,relatime");
  EXPECT_EQ(mounts[0].super_options, "rw,discard");
  EXPECT_EQ(mounts[1].point, "/mnt/my disk");
  EXPECT_EQ(mounts[1].minor, 17u);
}

TEST(MountTable, TakesTheDeviceNumberBeforeThePath) {
  const auto mounts = mounts_of(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 8:2 / /data rw - ext4 /dev/sda2 rw\n"
      "3 1 0:50 / /data/cache rw - tmpfs tmpfs rw\n");
  EXPECT_EQ(mount_of_file(mounts, "/data/a.wav", 8, 2)->point, "/data");
  EXPECT_EQ(mount_of_file(mounts, "/data/cache/a.wav", 0, 50)->filesystem, "tmpfs");
  EXPECT_EQ(mount_of_file(mounts, "/database/a.wav", 8, 1)->point, "/") << "a name that only begins alike";
}

TEST(MountTable, BtrfsGoesByTheLongestMountPoint) {
  const auto mounts = mounts_of(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 0:40 /@music /music rw - btrfs /dev/sdb rw\n");
  // A subvolume below /music has a number of its own, in no line of the table.
  EXPECT_EQ(mount_of_file(mounts, "/music/sub/a.wav", 0, 77)->source, "/dev/sdb");
}

TEST(MountTable, TheLastOfTwoOnOnePointCoversTheOther) {
  const auto mounts = mounts_of(
      "1 0 0:40 / /mnt rw - tmpfs one rw\n"
      "2 1 0:40 / /mnt rw - tmpfs two rw\n");
  EXPECT_EQ(mount_of_file(mounts, "/mnt/a", 0, 40)->source, "two");
  EXPECT_FALSE(mount_of_file(mounts, "/other", 0, 40).has_value());
}

TEST(MountTable, ByItsPathAloneAFileIsOnTheLongestPoint) {
  const auto mounts = mounts_of(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 8:2 / /data rw - ext4 /dev/sda2 rw\n"
      "3 1 8:3 / /data rw - ext4 /dev/sda3 rw\n");
  EXPECT_EQ(longest_mount(mounts, "/data/a.wav")->minor, 3u) << "the last covers the others";
  EXPECT_EQ(longest_mount(mounts, "/database")->minor, 1u);
  EXPECT_FALSE(longest_mount(mounts, "relative").has_value());
}

TEST(DeviceNumber, IsTwoWholeNumbers) {
  EXPECT_EQ(parse_device_number("259:17")->minor, 17u);
  for (const char* text : {"", "8", "8:", ":2", "8:2x", "x8:2", "8:2:1", "-1:2", "8: 2"}) {
    EXPECT_FALSE(parse_device_number(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace xrunlab
