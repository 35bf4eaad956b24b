#include "xrunlab/platform/block_class.hpp"

#include <gmock/gmock.h>

#include "tests/platform/fake_disks.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class BlockClass : public testing::Test {
 protected:
  BlockClass() {
    disks_.device("pci/block/sda", "8:0").queue("pci/block/sda", "none [mq-deadline]");
    disks_.partition("pci/block/sda/sda2", "8:2");
  }
  SysRoot root() const { return disks_.root(); }
  test::FakeDisks disks_;
};

TEST_F(BlockClass, OnlyWhatIsInTheClassIsADevice) {
  disks_.file("/sys/class/secret", "1").file("/sys/class/block/sda/..hidden", "");
  EXPECT_TRUE(is_block_device("sda2", root()));
  for (const char* name :
       {"", ".", "..", "sdz", "../secret", "../../class/block/sda", "sda/sda2", "sda\n", "/"}) {
    EXPECT_FALSE(is_block_device(name, root())) << name;
    try {
      block_device_directory(name, root());
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
    }
  }
  EXPECT_FALSE(is_block_device(std::string_view("sda\0x", 5), root())) << "a path ends at a zero byte";
  EXPECT_EQ(block_device_directory("sda2", root()), "/sys/class/block/sda2");
}

TEST_F(BlockClass, NodesOfDevLeadToNames) {
  disks_.file("/dev/sda2", "")
      .link("/dev/disk/by-uuid/77", "../../sda2")
      .link("/dev/abs", "/dev/disk/by-uuid/77");
  disks_.link("/dev/loop", "loop").link("/dev/out", "/etc/sda2").link("/dev/up", "..");
  disks_.device("pci/block/cciss!c0d0", "104:0");
  EXPECT_EQ(device_by_node("/dev/sda2", root()), "sda2");
  EXPECT_EQ(device_by_node("/dev/disk/by-uuid/77", root()), "sda2");
  EXPECT_EQ(device_by_node("/dev/abs", root()), "sda2");
  EXPECT_EQ(device_by_node("/dev/cciss/c0d0", root()), "cciss!c0d0");
  for (const char* node :
       {"/dev/sdz", "/dev/loop", "/dev/out", "/dev/up", "/dev/..", "/dev/", "", "sda2", "/etc/sda2"}) {
    EXPECT_EQ(device_by_node(node, root()), "") << node;
  }
  EXPECT_EQ(device_by_number(8, 2, root()), "sda2");
  EXPECT_EQ(device_by_number(8, 3, root()), "");
}

TEST_F(BlockClass, AMapperNameNeedNoLink) {
  disks_.device("virtual/block/dm-0", "253:0").file("/sys/devices/virtual/block/dm-0/dm/name", "vg-music\n");
  EXPECT_EQ(device_by_node("/dev/mapper/vg-music", root()), "dm-0");
  EXPECT_EQ(device_by_node("/dev/mapper/vg", root()), "");
}

TEST_F(BlockClass, APartitionLiesOnItsDisk) {
  EXPECT_EQ(disk_of("sda2", root()), "sda");
  EXPECT_EQ(disk_of("sda", root()), "sda");
  EXPECT_THAT(devices_below("sda2", root()), ElementsAre("sda"));
  EXPECT_THAT(devices_below("sda", root()), IsEmpty());
  const auto partition = describe_block_device("sda2", root());
  EXPECT_EQ(partition.kind, DeviceKind::partition);
  EXPECT_EQ(partition.number, "8:2");
  EXPECT_EQ(partition.size_bytes, 2048 * 512);
  EXPECT_EQ(partition.rotational, true) << "as its disk";
  EXPECT_THAT(partition.settings, IsEmpty());
  EXPECT_EQ(describe_block_device("sda", root()).settings.size(), 5u);
}

TEST_F(BlockClass, MappedDevicesAndArraysLieOnTheirSlaves) {
  disks_.device("virtual/block/md127", "9:127").slaves("virtual/block/md127", {"sda2", "gone"});
  disks_.file("/sys/devices/virtual/block/md127/md/level", "raid1\n");
  disks_.device("virtual/block/dm-1", "253:1").slaves("virtual/block/dm-1", {"md127"});
  disks_.file("/sys/devices/virtual/block/dm-1/dm/name", "vg-music\n");
  const auto array = describe_block_device("md127", root());
  EXPECT_EQ(array.kind, DeviceKind::md);
  EXPECT_EQ(array.label, "raid1");
  EXPECT_THAT(array.below, ElementsAre("sda2"));
  const auto mapped = describe_block_device("dm-1", root());
  EXPECT_EQ(mapped.kind, DeviceKind::dm);
  EXPECT_EQ(mapped.label, "vg-music");
  EXPECT_THAT(mapped.below, ElementsAre("md127"));
  EXPECT_EQ(mapped.rotational, std::nullopt);
}

TEST_F(BlockClass, ModelsAreWhereTheDriverHasThem) {
  disks_.file("/sys/devices/pci/block/sda/device/model", "Samsung SSD 870 \n");
  disks_.file("/sys/devices/pci/block/sda/device/vendor", "ATA     \n");
  EXPECT_EQ(describe_block_device("sda", root()).model, "Samsung SSD 870");
  EXPECT_EQ(describe_block_device("sda2", root()).model, "Samsung SSD 870");
  disks_.file("/sys/devices/pci/block/sda/device/vendor", "SEAGATE \n");
  EXPECT_EQ(describe_block_device("sda", root()).model, "SEAGATE Samsung SSD 870");
  disks_.device("soc/mmc0/block/mmcblk0", "179:0")
      .file("/sys/devices/soc/mmc0/block/mmcblk0/device/name", "SD32G\n");
  EXPECT_EQ(describe_block_device("mmcblk0", root()).model, "SD32G");
  disks_.device("pci/virtio1/block/vda", "254:0");
  disks_.file("/sys/devices/pci/virtio1/block/vda/device/vendor", "0x1af4\n");
  EXPECT_EQ(describe_block_device("vda", root()).model, "");
}

TEST_F(BlockClass, MmcPartsAndPartitionsAreTold) {
  disks_.device("soc/mmc0/block/mmcblk0", "179:0").partition("soc/mmc0/block/mmcblk0/mmcblk0p1", "179:1");
  disks_.device("soc/mmc0/block/mmcblk0/mmcblk0boot0", "179:8");
  EXPECT_EQ(disk_of("mmcblk0p1", root()), "mmcblk0");
  EXPECT_EQ(disk_of("mmcblk0boot0", root()), "mmcblk0boot0") << "in the card's directory, but no partition";
}

TEST_F(BlockClass, MemoryIsNoDisk) {
  disks_.device("virtual/block/zram0", "251:0")
      .file("/sys/devices/virtual/block/zram0/comp_algorithm", "[lzo]\n");
  disks_.device("virtual/block/ram3", "1:3").device("virtual/block/loop4", "7:4");
  EXPECT_EQ(device_kind("zram0", root()), DeviceKind::memory);
  EXPECT_EQ(device_kind("ram3", root()), DeviceKind::memory);
  EXPECT_EQ(device_kind("loop4", root()), DeviceKind::disk) << "without a file it lies on nothing";
}

/// Two controllers reach namespace 1, one of them also namespace 2; a third is another subsystem's.
class NvmeMultipath : public testing::Test {
 protected:
  NvmeMultipath() {
    const std::string subsystem = "virtual/nvme-subsystem/nvme-subsys0/";
    disks_.link("/sys/devices/" + subsystem + "nvme0", "../../../pci/nvme/nvme0");
    disks_.link("/sys/devices/" + subsystem + "nvme1", "../../../pci/nvme/nvme1");
    add(subsystem + "nvme0n1", "259:0", 1, false);
    add(subsystem + "nvme0n2", "259:2", 2, false);
    disks_.partition(subsystem + "nvme0n1/nvme0n1p1", "259:1");
    add("pci/nvme/nvme0/nvme0c0n1", "", 1, true);
    add("pci/nvme/nvme1/nvme0c1n1", "", 1, true);
    add("pci/nvme/nvme0/nvme0c0n2", "", 2, true);
    add("pci/nvme/nvme2/nvme2c2n1", "", 1, true);
    add("pci/nvme/nvme3/nvme3n1", "259:9", 1, false);
  }
  void add(const std::string& home, const std::string& number, int nsid, bool hidden) {
    disks_.device(home, number).file("/sys/devices/" + home + "/nsid", std::to_string(nsid) + "\n");
    disks_.file("/sys/devices/" + home + "/wwid", "eui." + std::to_string(nsid) + "\n");
    disks_.file("/sys/devices/" + home + "/hidden", hidden ? "1\n" : "0\n");
  }
  test::FakeDisks disks_;
};

TEST_F(NvmeMultipath, ANamespaceLiesOnItsPaths) {
  const auto head = describe_block_device("nvme0n1", disks_.root());
  EXPECT_EQ(head.kind, DeviceKind::multipath);
  EXPECT_THAT(head.below, ElementsAre("nvme0c0n1", "nvme0c1n1"));
  EXPECT_THAT(devices_below("nvme0n2", disks_.root()), ElementsAre("nvme0c0n2"));
  EXPECT_THAT(devices_below("nvme0n1p1", disks_.root()), ElementsAre("nvme0n1"));
  const auto path = describe_block_device("nvme0c1n1", disks_.root());
  EXPECT_EQ(path.kind, DeviceKind::path);
  EXPECT_EQ(path.number, "");
  EXPECT_THAT(path.below, IsEmpty());
}

TEST_F(NvmeMultipath, NewKernelsListThePaths) {
  disks_.link("/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/multipath/nvme0c1n1", "../x");
  EXPECT_THAT(devices_below("nvme0n1", disks_.root()), ElementsAre("nvme0c1n1"));
}

TEST_F(NvmeMultipath, ANamespaceOfOneControllerIsADisk) {
  const auto disk = describe_block_device("nvme3n1", disks_.root());
  EXPECT_EQ(disk.kind, DeviceKind::disk);
  EXPECT_THAT(disk.below, IsEmpty());
}

TEST(BlockClassHere, EveryDeviceOfThisMachineCanBeDescribed) {
  const SysRoot here("");
  for (const auto& name : here.list("/sys/class/block")) {
    const auto device = describe_block_device(name, here);
    EXPECT_EQ(device.name, name);
    EXPECT_GE(device.size_bytes, 0) << name;
    const auto colon = device.number.find(':');
    if (colon == std::string::npos) continue;
    const auto major = static_cast<unsigned>(std::stoul(device.number));
    const auto minor = static_cast<unsigned>(std::stoul(device.number.substr(colon + 1)));
    EXPECT_EQ(device_by_number(major, minor, here), name);
  }
}

}  // namespace
}  // namespace xrunlab
