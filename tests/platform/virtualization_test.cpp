#include "xrunlab/platform/virtualization.hpp"

#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

class Virtualization : public testing::Test {
 protected:
  void cpu_flags(std::string_view flags) {
    tree_.file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: " + std::string(flags) + "\n");
  }
  std::string described() const { return describe_virtualization(tree_.root()); }
  test::FakeTree tree_;
};

TEST_F(Virtualization, ARealMachine) {
  cpu_flags("fpu sse");
  tree_.file("/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
  EXPECT_EQ(described(), "none") << "bare metal has no hypervisor flag, whatever its vendor";
}

TEST_F(Virtualization, HypervisorsByTheirFirmware) {
  cpu_flags("fpu hypervisor sse");
  EXPECT_EQ(described(), "vm");
  tree_.file("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_EQ(described(), "qemu");
  tree_.file("/sys/class/dmi/id/product_name", "KVM Virtual Machine\n");
  EXPECT_EQ(described(), "kvm");
  tree_.file("/sys/firmware/acpi/tables/FACP", std::string_view("FACP\x14\x01\0\0\x06"
                                                                "fFIRECKFCVM",
                                                                20));
  EXPECT_EQ(described(), "firecracker");
}

TEST_F(Virtualization, ArmMachinesHaveNoFlag) {
  tree_.file("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
  tree_.file("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_EQ(described(), "qemu");
}

TEST_F(Virtualization, Containers) {
  tree_.file("/proc/1/environ", std::string_view("HOME=/\0container=lxc\0", 21));
  EXPECT_EQ(described(), "container lxc");
  cpu_flags("hypervisor");
  EXPECT_EQ(described(), "container lxc (vm)");
}

TEST_F(Virtualization, ContainersByTheirMarks) {
  tree_.file("/.dockerenv", "");
  tree_.file("/proc/self/mountinfo", "1 0 0:30 / / rw - overlay overlay rw\n");
  EXPECT_EQ(described(), "container docker");
  tree_.file("/proc/self/mountinfo", "1 0 254:0 / / rw - ext4 /dev/vda rw\n");
  EXPECT_EQ(described(), "none") << "an image's mark on a whole disk";
  tree_.file("/run/.containerenv", "");
  EXPECT_EQ(described(), "container podman");
  tree_.file("/run/systemd/container", "systemd-nspawn\n");
  EXPECT_EQ(described(), "container systemd-nspawn");
}

TEST_F(Virtualization, ContainersByTheFirstProcessesGroup) {
  tree_.file("/proc/1/cgroup", "0::/kubepods/burstable/pod1\n");
  EXPECT_EQ(described(), "container kubepods");
}

}  // namespace
}  // namespace xrunlab
