#include "xrunlab/platform/queue_settings.hpp"

#include <gmock/gmock.h>

#include "tests/platform/fake_disks.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;

TEST(QueueSettings, AreReadWithWhatCanBeChosen) {
  test::FakeDisks disks;
  disks.device("pci/block/sda", "8:0").queue("pci/block/sda", "none [mq-deadline] kyber");
  std::filesystem::create_directory(disks.directory() + "/sys/devices/pci/block/sda/queue/crypto");
  const auto settings = read_queue_settings("sda", disks.root());
  ASSERT_EQ(settings.size(), 5u);
  EXPECT_EQ(settings[0], (QueueSetting{"hw_sector_size", "512", false, {}}));
  EXPECT_EQ(settings[1], (QueueSetting{"read_ahead_kb", "128", true, {}}));
  EXPECT_EQ(settings[3], (QueueSetting{"scheduler", "mq-deadline", true, {"none", "mq-deadline", "kyber"}}));
  EXPECT_EQ(settings[4], (QueueSetting{"iosched.read_expire", "500", true, {}}));
}

TEST(QueueSettings, OfAPartitionAreNone) {
  test::FakeDisks disks;
  disks.device("pci/block/sda", "8:0")
      .queue("pci/block/sda", "[none]")
      .partition("pci/block/sda/sda1", "8:1");
  EXPECT_TRUE(read_queue_settings("sda1", disks.root()).empty());
}

TEST(QueueSettings, NoNameLeadsOutOfTheQueue) {
  test::FakeDisks disks;
  disks.device("pci/block/sda", "8:0").queue("pci/block/sda", "[none]");
  disks.file("/sys/class/secret", "1");
  for (const char* device : {"", ".", "..", "sdb", "../block/sda", "sda/queue/..", "../secret", "sda\n"}) {
    EXPECT_THROW(read_queue_settings(device, disks.root()), Error) << device;
  }
}

TEST(QueueSettings, OfThisMachineAreAllReadable) {
  const SysRoot here("");
  for (const auto& name : here.list("/sys/class/block")) {
    for (const auto& setting : read_queue_settings(name, here)) {
      std::string part = setting.name;
      if (const auto dot = part.find('.'); dot != std::string::npos) part[dot] = '/';
      const std::string file = "/sys/class/block/" + name + "/queue/" + part;
      EXPECT_TRUE(here.is_regular_file(file)) << file;
      if (setting.name == "scheduler") continue;
      EXPECT_EQ(setting.value.has_value(), here.read(file).has_value()) << file;
    }
  }
}

TEST(ActiveScheduler, IsTheOneInBrackets) {
  EXPECT_EQ(active_scheduler("none [bfq] kyber"), "bfq");
  EXPECT_EQ(active_scheduler("none"), "none");
  EXPECT_EQ(active_scheduler("none bfq"), "");
  EXPECT_EQ(active_scheduler(""), "");
}

TEST(OfferedSchedulers, AreAllWithoutBrackets) {
  EXPECT_THAT(offered_schedulers("none [bfq] kyber "), ElementsAre("none", "bfq", "kyber"));
  EXPECT_THAT(offered_schedulers("none"), ElementsAre("none"));
  EXPECT_TRUE(offered_schedulers("").empty());
}

}  // namespace
}  // namespace xrunlab
