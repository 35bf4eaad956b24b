#include "xrunlab/platform/block_device.hpp"

#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

/// A machine with sda (partition sda2), nvme0n1 (partition nvme0n1p1), loop3 and dm-0.
class BlockDevice : public testing::Test {
 protected:
  BlockDevice() {
    add("pci/block/sda", "sda", "8:0", "none [mq-deadline] kyber bfq");
    add("pci/block/sda/sda2", "sda2", "8:2", "");
    add("pci/nvme/nvme0/nvme0n1", "nvme0n1", "259:0", "[none] mq-deadline");
    add("pci/nvme/nvme0/nvme0n1/nvme0n1p1", "nvme0n1p1", "259:1", "");
    add("virtual/block/loop3", "loop3", "7:3", "none");
    add("virtual/block/dm-0", "dm-0", "253:0", "");
    tree_.file("/sys/devices/pci/block/sda/sda2/partition", "2\n");
    tree_.file("/sys/devices/pci/nvme/nvme0/nvme0n1/nvme0n1p1/partition", "1\n");
  }
  void add(const std::string& directory, const std::string& name, const std::string& number,
           const std::string& scheduler) {
    tree_.file("/sys/devices/" + directory + "/dev", number + "\n");
    if (!scheduler.empty()) tree_.file("/sys/devices/" + directory + "/queue/scheduler", scheduler + "\n");
    tree_.link("/sys/class/block/" + name, "../../devices/" + directory);
    tree_.link("/sys/dev/block/" + number, "../../devices/" + directory);
  }
  StorageInfo describe(const std::string& mountinfo, unsigned major, unsigned minor) {
    tree_.file("/proc/self/mountinfo", mountinfo + "\n");
    return describe_storage({"/data/a.wav", major, minor}, tree_.root());
  }
  test::FakeTree tree_;
};

TEST_F(BlockDevice, PartitionLeadsToItsDisk) {
  const auto info = describe("1 0 8:2 / /data rw - ext4 /dev/sda2 rw", 8, 2);
  EXPECT_EQ(info.filesystem, "ext4");
  EXPECT_EQ(info.block_device, "sda");
  EXPECT_EQ(info.partition, "sda2");
  EXPECT_EQ(info.io_scheduler, "mq-deadline");
  EXPECT_EQ(info.reason, "");
}

TEST_F(BlockDevice, DigitsOfANameSayNothing) {
  auto info = describe("1 0 259:1 / /data rw - xfs /dev/nvme0n1p1 rw", 259, 1);
  EXPECT_EQ(info.block_device, "nvme0n1");
  EXPECT_EQ(info.io_scheduler, "none");
  info = describe("1 0 259:0 / /data rw - xfs /dev/nvme0n1 rw", 259, 0);
  EXPECT_EQ(info.block_device, "nvme0n1");
  EXPECT_EQ(info.partition, "");
  info = describe("1 0 7:3 / /data rw - ext4 /dev/loop3 rw", 7, 3);
  EXPECT_EQ(info.block_device, "loop3");
  EXPECT_EQ(info.io_scheduler, "none");
}

TEST_F(BlockDevice, BtrfsIsFoundByItsSource) {
  const auto info = describe("1 0 0:40 /@ /data rw - btrfs /dev/sda2 rw,subvol=/@", 0, 77);
  EXPECT_EQ(info.filesystem, "btrfs");
  EXPECT_EQ(info.block_device, "sda");
  EXPECT_EQ(info.partition, "sda2");
}

TEST_F(BlockDevice, MapperLinksAreFollowed) {
  tree_.file("/dev/dm-0", "").link("/dev/mapper/vg-music", "../dm-0");
  const auto info = describe("1 0 0:40 / /data rw - btrfs /dev/mapper/vg-music rw", 0, 40);
  EXPECT_EQ(info.block_device, "dm-0");
  EXPECT_EQ(info.io_scheduler, "") << "a mapped device may have none of its own";
}

TEST_F(BlockDevice, WithoutADeviceItSaysWhy) {
  EXPECT_EQ(describe("1 0 0:40 / /data rw - overlay overlay rw,upperdir=/u", 0, 40).reason,
            "no block device (overlay)");
  EXPECT_EQ(describe("1 0 0:40 / /data rw - nfs4 host:/export rw", 0, 40).reason, "no block device (nfs4)");
  const auto info = describe("1 0 0:40 / /data rw - tmpfs tmpfs rw", 0, 40);
  EXPECT_EQ(info.reason, "no block device (tmpfs, it lives in memory)");
  EXPECT_EQ(info.block_device, "");
  EXPECT_EQ(info.filesystem, "tmpfs");
  EXPECT_NE(describe("1 0 99:1 / /data rw - ext4 /dev/hidden rw", 99, 1).reason.find("99:1 is not in /sys"),
            std::string::npos);
  EXPECT_NE(describe("", 8, 2).reason, "");
}

TEST(ActiveScheduler, IsTheOneInBrackets) {
  EXPECT_EQ(active_scheduler("none [bfq] kyber"), "bfq");
  EXPECT_EQ(active_scheduler("none"), "none");
  EXPECT_EQ(active_scheduler("none bfq"), "");
  EXPECT_EQ(active_scheduler(""), "");
}

TEST(LocateFile, ResolvesLinksAndNamesWhatIsMissing) {
  test::FakeTree tree;
  tree.file("/real/a.wav", "x").link("/link.wav", "real/a.wav");
  EXPECT_TRUE(locate_file(tree.directory() + "/link.wav").path.ends_with("/real/a.wav"));
  try {
    locate_file(tree.directory() + "/missing.wav");
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_NE(std::string(error.what()).find("missing.wav: No such file"), std::string::npos);
  }
}

TEST(StorageHere, OfThisMachineIsConsistent) {
  const auto info = describe_storage(locate_file("/usr/bin/env"), SysRoot(""));
  EXPECT_NE(info.filesystem, "");
  EXPECT_EQ(info.block_device.empty(), !info.reason.empty());
  if (!info.block_device.empty()) {
    EXPECT_TRUE(SysRoot("").exists("/sys/class/block/" + info.block_device));
  }
  const auto proc = describe_storage(locate_file("/proc/self/status"), SysRoot(""));
  EXPECT_EQ(proc.filesystem, "proc");
  EXPECT_EQ(proc.reason, "no block device (proc)");
}

}  // namespace
}  // namespace xrunlab
