#include "xrunlab/platform/device_access.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

class DeviceAccessByMode : public testing::Test {
 protected:
  DeviceAccessByMode() { become("4711", "4712", "0"); }
  void become(const std::string& user, const std::string& group, const std::string& capabilities) {
    tree_.file("/proc/self/status", "Uid:\t" + user + "\t" + user + "\t0\t0\nGid:\t" + group + "\t" + group +
                                        "\t0\t0\nCapEff:\t" + capabilities + "\n");
  }
  void expect(unsigned mode, DeviceAccess to_read, DeviceAccess to_write) {
    tree_.file("/dev/rtc", "");
    std::filesystem::permissions(tree_.directory() + "/dev/rtc", std::filesystem::perms(mode));
    EXPECT_EQ(device_access("/dev/rtc", Opening::to_read, tree_.root()), to_read) << std::oct << mode;
    EXPECT_EQ(device_access("/dev/rtc", Opening::to_write, tree_.root()), to_write) << std::oct << mode;
  }
  test::FakeTree tree_;
};

constexpr auto kGranted = DeviceAccess::granted;
constexpr auto kRefused = DeviceAccess::refused;

TEST_F(DeviceAccessByMode, OfOwnerGroupAndOthers) {
  expect(0604, kGranted, kRefused);
  expect(0660, kRefused, kRefused);
  become("4711", std::to_string(::getegid()), "0");
  expect(0620, kRefused, kGranted);
  expect(0606, kRefused, kRefused);  // the group comes before others
  become(std::to_string(::geteuid()), "4712", "0");
  expect(0477, kGranted, kRefused);
  become("4711", "4712", "2");
  expect(0000, kGranted, kGranted);  // CAP_DAC_OVERRIDE
}

TEST_F(DeviceAccessByMode, OfWhatIsNotThere) {
  EXPECT_EQ(device_access("/dev/none", Opening::to_read, tree_.root()), DeviceAccess::absent);
  EXPECT_EQ(device_access("/dev/none/x", Opening::to_read, SysRoot("")), DeviceAccess::absent);
}

TEST_F(DeviceAccessByMode, OnePlayingDeviceOfSeveralIsEnough) {
  EXPECT_EQ(sound_device_access(tree_.root()), DeviceAccess::absent);
  tree_.file("/dev/snd/pcmC0D0c", "").file("/dev/snd/controlC0", "");
  EXPECT_EQ(sound_device_access(tree_.root()), DeviceAccess::absent) << "it only records";
  for (const auto& [name, mode] :
       {std::pair{"/dev/snd/pcmC0D0p", 0600u}, std::pair{"/dev/snd/pcmC1D0p", 0606u}}) {
    tree_.file(name, "");
    std::filesystem::permissions(tree_.directory() + name, std::filesystem::perms(mode));
    EXPECT_EQ(sound_device_access(tree_.root()), mode == 0600 ? kRefused : kGranted);
  }
}

TEST(DeviceAccessHere, OfADeviceThatAllMayOpen) {
  EXPECT_EQ(device_access("/dev/null", Opening::to_write, SysRoot("")), DeviceAccess::granted);
}

}  // namespace
}  // namespace xrunlab
