#include "xrunlab/platform/block_device.hpp"

#include <gmock/gmock.h>

#include "tests/platform/fake_disks.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kSda = "pci/block/sda";
constexpr const char* kNvme = "pci/nvme/nvme0/nvme0n1";

/// A machine with sda (partition sda2), nvme0n1 (partition nvme0n1p1), loop3 and dm-0.
class BlockDevice : public testing::Test {
 protected:
  BlockDevice() {
    tree_.device(kSda, "8:0")
        .queue(kSda, "none [mq-deadline] kyber bfq")
        .partition("pci/block/sda/sda2", "8:2");
    tree_.device(kNvme, "259:0").queue(kNvme, "[none] mq-deadline");
    tree_.partition("pci/nvme/nvme0/nvme0n1/nvme0n1p1", "259:1");
    tree_.device("virtual/block/loop3", "7:3").queue("virtual/block/loop3", "none");
    tree_.device("virtual/block/dm-0", "253:0");
  }
  StorageInfo describe(const std::string& mountinfo, unsigned major, unsigned minor) {
    tree_.mounts(mountinfo + "\n");
    return describe_storage({"/data/a.wav", major, minor}, tree_.root());
  }
  DiskData disks(const std::string& mountinfo, unsigned major, unsigned minor) {
    tree_.mounts(mountinfo + "\n");
    return describe_disks(FileLocation{"/data/a.wav", major, minor}, tree_.root());
  }
  test::FakeDisks tree_;
};

std::vector<std::string> names_of(const DiskData& disks) {
  std::vector<std::string> names;
  for (const auto& device : disks.devices) names.push_back(device.name);
  return names;
}

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
  EXPECT_EQ(info.io_scheduler, "") << "neither it nor anything below has one";
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
  EXPECT_EQ(describe("1 0 0:40 / /data rw - tmpfs /dev/sda2 rw", 0, 40).block_device, "")
      << "what is mounted may be called anything";
}

TEST_F(BlockDevice, AFileSystemInMemoryHasNoDisk) {
  tree_.device("virtual/block/zram0", "251:0")
      .file("/sys/devices/virtual/block/zram0/comp_algorithm", "lzo\n");
  const char* const mount = "1 0 251:0 / /data rw - ext4 /dev/zram0 rw";
  EXPECT_EQ(describe(mount, 251, 0).reason, "no block device (zram0, it lives in memory)");
  EXPECT_EQ(describe(mount, 251, 0).block_device, "");
  const auto found = disks(mount, 251, 0);
  EXPECT_EQ(found.files.front().reason, "no block device (zram0, it lives in memory)");
  EXPECT_THAT(found.files.front().disks, IsEmpty());
  EXPECT_THAT(found.files.front().schedule_at, IsEmpty());
  EXPECT_THAT(names_of(found), ElementsAre("zram0"));
}

TEST_F(BlockDevice, AFileIsDescribedDownToItsDisk) {
  const auto found = disks("1 0 8:2 / /data rw,noatime - ext4 /dev/sda2 rw,discard", 8, 2);
  const auto& file = found.files.front();
  EXPECT_EQ(file.mount_options, "rw,noatime");
  EXPECT_EQ(file.super_options, "rw,discard");
  EXPECT_THAT(file.devices, ElementsAre("sda2"));
  EXPECT_THAT(file.disks, ElementsAre("sda"));
  EXPECT_THAT(file.schedule_at, ElementsAre("sda"));
  EXPECT_EQ(file.read_ahead_file, "/sys/class/block/sda/queue/read_ahead_kb");
  EXPECT_THAT(names_of(found), ElementsAre("sda2", "sda"));
}

TEST_F(BlockDevice, MappedDevicesLeadToEveryLeafOnce) {
  tree_.device("virtual/block/md0", "9:0").slaves("virtual/block/md0", {"sda2", "nvme0n1p1"});
  tree_.queue("virtual/block/dm-0", "none").slaves("virtual/block/dm-0", {"md0", "sda2"});
  const auto found = disks("1 0 253:0 / /data rw - xfs /dev/mapper/a rw", 253, 0);
  EXPECT_THAT(found.files.front().devices, ElementsAre("dm-0"));
  EXPECT_THAT(found.files.front().disks, ElementsAre("nvme0n1", "sda"));
  EXPECT_THAT(found.files.front().schedule_at, ElementsAre("nvme0n1", "sda"));
  EXPECT_EQ(found.files.front().read_ahead_file, "/sys/class/block/dm-0/queue/read_ahead_kb");
  EXPECT_THAT(names_of(found), ElementsAre("dm-0", "md0", "nvme0n1p1", "nvme0n1", "sda2", "sda"));
}

TEST_F(BlockDevice, TheSchedulerOfAMappedDeviceIsThatOfItsDisks) {
  const char* const mount = "1 0 253:0 / /data rw - xfs /dev/mapper/a rw";
  tree_.slaves("virtual/block/dm-0", {"sda2", "nvme0n1p1"});
  const auto info = describe(mount, 253, 0);
  EXPECT_EQ(info.block_device, "dm-0");
  EXPECT_EQ(info.io_scheduler, "none, mq-deadline");
  tree_.queue("virtual/block/dm-0", "[bfq] none");
  EXPECT_EQ(describe(mount, 253, 0).io_scheduler, "bfq") << "multipath has a queue of its own";
}

TEST_F(BlockDevice, DevicesThatLieOnEachOtherEnd) {
  tree_.device("virtual/block/md0", "9:0").slaves("virtual/block/md0", {"dm-0"});
  tree_.slaves("virtual/block/dm-0", {"md0"});
  EXPECT_THAT(names_of(disks("1 0 9:0 / /data rw - xfs /dev/md0 rw", 9, 0)), ElementsAre("md0", "dm-0"));
}

TEST_F(BlockDevice, ALoopDeviceLiesOnTheDiskOfItsFile) {
  tree_.file("/sys/devices/virtual/block/loop3/loop/backing_file", "/images/my disk\n");
  tree_.queue("virtual/block/loop3", "[none] bfq").file("/images/my disk", "");
  const auto found = disks(
      "1 0 8:2 / / rw - ext4 /dev/sda2 rw\n2 1 259:1 / /images rw - xfs /dev/nvme0n1p1 rw\n"
      "3 1 7:3 / /data rw - ext4 /dev/loop3 rw",
      7, 3);
  EXPECT_THAT(found.files.front().disks, ElementsAre("nvme0n1"));
  EXPECT_THAT(found.files.front().schedule_at, ElementsAre("loop3")) << "it has a queue of its own";
  EXPECT_THAT(names_of(found), ElementsAre("loop3", "nvme0n1p1", "nvme0n1"));
}

TEST_F(BlockDevice, ALoopDeviceOfARemovedFileIsALeaf) {
  tree_.file("/sys/devices/virtual/block/loop3/loop/backing_file", "/images/disk (deleted)\n");
  const auto found = disks("3 1 7:3 / /data rw - ext4 /dev/loop3 rw", 7, 3);
  EXPECT_THAT(found.files.front().disks, ElementsAre("loop3"));
  EXPECT_EQ(found.devices.front().backing_file, "/images/disk (deleted)");
}

TEST_F(BlockDevice, BtrfsHasAllItsMembersAndReadAheadOfItsOwn) {
  const std::string btrfs = "/sys/fs/btrfs/5e1f-77/";
  tree_.link(btrfs + "devices/sda2", "../x").link(btrfs + "devices/nvme0n1", "../x");
  tree_.link(btrfs + "devices/gone", "../x").file(btrfs + "devices/1/in_fs_metadata", "1");
  tree_.link(btrfs + "bdi", "../../../devices/virtual/bdi/btrfs-1");
  tree_.file("/sys/class/bdi/btrfs-1/read_ahead_kb", "4096\n").file("/sys/fs/btrfs/features/raid1c34", "0");
  const auto found = disks("1 0 0:40 /@ /data rw - btrfs /dev/sda2 rw,subvol=/@", 0, 77);
  EXPECT_THAT(found.files.front().devices, ElementsAre("sda2", "nvme0n1")) << "that of the mount first";
  EXPECT_THAT(found.files.front().disks, ElementsAre("sda", "nvme0n1"));
  EXPECT_EQ(found.files.front().read_ahead_file, "/sys/class/bdi/btrfs-1/read_ahead_kb");
}

TEST_F(BlockDevice, BcachefsNamesItsDevices) {
  const auto found = disks("1 0 0:40 / /data rw - bcachefs /dev/sda2:/dev/nvme0n1 rw", 0, 40);
  EXPECT_THAT(found.files.front().disks, ElementsAre("sda", "nvme0n1"));
}

TEST_F(BlockDevice, ANetworkFileSystemReadsAhead) {
  tree_.file("/sys/class/bdi/0:50/read_ahead_kb", "128\n");
  const auto found = disks("1 0 0:50 / /data rw - nfs4 host:/export rw", 0, 50);
  EXPECT_EQ(found.files.front().read_ahead_file, "/sys/class/bdi/0:50/read_ahead_kb");
  EXPECT_EQ(found.files.front().reason, "no block device (nfs4)");
}

TEST_F(BlockDevice, DevicesOfSeveralFilesAreListedOnceAndBeforeWhatTheyLieOn) {
  tree_.slaves("virtual/block/dm-0", {"sda", "nvme0n1"})
      .mounts(
          "1 0 8:2 / /a rw - ext4 /dev/sda2 rw\n2 1 8:0 / /b rw - ext4 /dev/sda rw\n"
          "3 1 253:0 / /c rw - xfs /dev/dm-0 rw\n");
  const auto all =
      describe_disks({{"/a/x", 8, 2}, {"/b/x", 8, 0}, {"/a/y", 8, 2}, {"/c/x", 253, 0}}, tree_.root());
  ASSERT_EQ(all.files.size(), 4u);
  EXPECT_THAT(all.files[1].disks, ElementsAre("sda"));
  EXPECT_EQ(all.files[2].path, "/a/y");
  EXPECT_THAT(all.files[3].disks, ElementsAre("nvme0n1", "sda"));
  EXPECT_THAT(names_of(all), ElementsAre("sda2", "dm-0", "nvme0n1", "sda"));
  EXPECT_THAT(names_of(describe_disks(std::vector<FileLocation>{}, tree_.root())), IsEmpty());
  auto added = describe_disks(FileLocation{"/a/x", 8, 2}, tree_.root());
  add_disks(added, describe_disks(FileLocation{"/c/x", 253, 0}, tree_.root()));
  EXPECT_EQ(added.files.size(), 2u);
  EXPECT_EQ(names_of(added), names_of(all)) << "added later, but not behind what it lies on";
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

TEST_F(BlockDevice, UnderAFakeRootTheMountTableHasTheNumber) {
  tree_.mounts("1 0 8:2 / / rw - ext4 /dev/sda2 rw\n2 1 259:1 / /data rw - xfs /dev/nvme0n1p1 rw\n");
  tree_.file("/data/a.wav", "").file("/dev/sda", "");
  const auto file = locate_file("/data/a.wav", tree_.root());
  EXPECT_EQ(file.path, "/data/a.wav");
  EXPECT_EQ(file.major, 259u);
  EXPECT_EQ(file.minor, 1u);
  EXPECT_EQ(locate_file("/proc/self/status", tree_.root()).major, 8u) << "a file of the real machine";
  EXPECT_THROW(locate_file("/data/b.wav", tree_.root()), Error);
  const auto device = locate_file("/dev/sda", tree_.root());
  EXPECT_TRUE(device.is_device);
  EXPECT_EQ(device.minor, 0u);
  EXPECT_THAT(names_of(describe_disks(device, tree_.root())), ElementsAre("sda"));
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
