#include "xrunlab/platform/setting_effect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/kernel_on_tree.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using Combination = std::vector<SettingValue>;

class SettingEffect : public testing::Test {
 protected:
  SettingEffect() {
    test::add_disk(tree_, "sda");
    tree_.file("/proc/cpuinfo", "processor : 0\nflags : sse hypervisor\n");
    tree_.file("/proc/swaps", "Filename Type Size\n/dev/sda2 partition 9\n");
    tree_.file("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
    context_.targets = {{"sda"}, {"/sys/class/block/sda/queue/read_ahead_kb"}, ""};
  }

  /// The one reason, or "acts".
  std::string why(const Combination& combination, std::size_t expected = 1) {
    const auto inert = inert_settings(combination, context_, tree_.root());
    if (inert.empty()) return "acts";
    EXPECT_EQ(inert.size(), expected);
    can_be_set_ = inert.front().can_be_set;
    return inert.front().reason;
  }
  void scheduler(const std::string& text) { tree_.file("/sys/class/block/sda/queue/scheduler", text + "\n"); }

  test::FakeTree tree_;
  SettingContext context_;
  bool can_be_set_ = false;
};

TEST_F(SettingEffect, ReadAheadNeedsBufferedReads) {
  context_.reads = ReadKind::direct;
  EXPECT_EQ(why({{"read_ahead_kb", "128"}}),
            "read_ahead_kb=128 cannot act: direct reads pass by the page cache and its read-ahead");
  EXPECT_TRUE(can_be_set_);
  context_.reads = ReadKind::buffered;
  EXPECT_EQ(why({{"read_ahead_kb", "128"}}), "acts");
}

TEST_F(SettingEffect, IoPriorityNeedsASchedulerThatLooksAtIt) {
  EXPECT_EQ(why({{"io-priority", "rt:0"}}), "acts") << "mq-deadline is active";
  EXPECT_EQ(why({{"scheduler", "bfq"}, {"io-priority", "rt:0"}}), "acts");
  EXPECT_THAT(why({{"scheduler", "kyber"}, {"io-priority", "rt:0"}}),
              HasSubstr("kyber, which does not look"));
  EXPECT_THAT(why({{"scheduler", "none"}, {"io-priority", "be:7"}}), HasSubstr("no scheduler that could"));
  EXPECT_EQ(why({{"scheduler", "none"}, {"io-priority", "none"}}), "acts");
  scheduler("[none] mq-deadline");
  EXPECT_THAT(why({{"io-priority", "rt:0"}}), HasSubstr("no scheduler that could"));
  tree_.file("/proc/sys/kernel/osrelease", "5.10.0-30-amd64\n");
  EXPECT_THAT(why({{"scheduler", "mq-deadline"}, {"io-priority", "rt:0"}}),
              HasSubstr("only since Linux 5.14"));
}

TEST_F(SettingEffect, ASchedulersSettingNeedsThatScheduler) {
  EXPECT_EQ(why({{"iosched.read_expire", "100"}}), "acts");
  EXPECT_THAT(why({{"iosched.slice_idle", "0"}}),
              HasSubstr("sda has the scheduler mq-deadline, which has no slice_idle"));
  EXPECT_FALSE(can_be_set_);
  EXPECT_EQ(why({{"iosched.slice_idle", "0"}, {"scheduler", "bfq"}}), "acts");
  EXPECT_THAT(why({{"iosched.read_expire", "100"}, {"scheduler", "none"}}),
              HasSubstr("scheduler none, which has no"));
  EXPECT_EQ(why({{"iosched.anything", "1"}, {"scheduler", "newest"}}), "acts")
      << "an unknown one may have it";
}

TEST_F(SettingEffect, AGovernorIsTheHostsInAVirtualMachine) {
  EXPECT_THAT(why({{"governor", "performance"}}),
              HasSubstr("this is a virtual machine (vm): its host decides"));
  EXPECT_TRUE(can_be_set_);
  tree_.file("/proc/cpuinfo", "processor : 0\nflags : sse\n");
  EXPECT_EQ(why({{"governor", "performance"}}), "acts");
}

TEST_F(SettingEffect, WithoutADiskNothingOfItActs) {
  context_.targets = {{}, {}, "no block device (overlay)"};
  context_.reads = ReadKind::buffered;
  for (const char* const key : {"scheduler", "nr_requests", "read_ahead_kb", "iosched.read_expire"}) {
    EXPECT_EQ(why({{key, "1"}}), std::string(key) + "=1 cannot act: no block device (overlay)");
    EXPECT_FALSE(can_be_set_);
  }
  EXPECT_THAT(why({{"io-priority", "rt:0"}}), HasSubstr("no block device (overlay)"));
}

TEST_F(SettingEffect, ADiskWithoutTheSettingIsNamed) {
  std::filesystem::remove(tree_.directory() + "/sys/class/block/sda/queue/wbt_lat_usec");
  EXPECT_THAT(why({{"wbt_lat_usec", "0"}}), HasSubstr("sda has no wbt_lat_usec"));
  EXPECT_FALSE(can_be_set_);
  EXPECT_EQ(why({{"nr_requests", "64"}}), "acts");
  tree_.file("/sys/devices/system/cpu/online", "0\n");
  EXPECT_THAT(why({{"rq_affinity", "2"}}), HasSubstr("but one CPU"));
}

TEST_F(SettingEffect, ADeviceThatHandsRequestsOnHasNoScheduler) {
  EXPECT_EQ(why({{"scheduler", "bfq"}}), "acts");
  scheduler("none");  // as device mapper has it
  EXPECT_THAT(why({{"scheduler", "bfq"}}), HasSubstr("sda has no scheduler to choose"));
  scheduler("[none]");
  EXPECT_EQ(why({{"scheduler", "bfq"}}), "acts") << "a module may bring it";
}

TEST_F(SettingEffect, SwappinessNeedsSwapAndHalvesExcludeEachOther) {
  tree_.file("/proc/sys/vm/swappiness", "60\n");
  EXPECT_EQ(why({{"vm.swappiness", "10"}}), "acts");
  tree_.file("/proc/swaps", "Filename Type Size\n");
  EXPECT_THAT(why({{"vm.swappiness", "10"}}), HasSubstr("no swap space"));
  EXPECT_EQ(why({{"vm.dirty_bytes", "1"}}), "acts");
  EXPECT_THAT(why({{"vm.dirty_bytes", "1"}, {"vm.dirty_ratio", "2"}}, 2), HasSubstr("switch each other off"));
}

}  // namespace
}  // namespace xrunlab
