#include "xrunlab/platform/setting_check.hpp"

#include <gtest/gtest.h>

#include "tests/platform/kernel_on_tree.hpp"

namespace xrunlab {
namespace {

using Combination = std::vector<SettingValue>;

class SettingCheck : public testing::Test {
 protected:
  SettingCheck() {
    test::add_disk(tree_, "sda");
    test::add_vm(tree_);
    tree_.file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    tree_.file("/lib/modules/6.1.0-18-amd64/modules.alias", "alias bfq-iosched bfq\nalias kyber kyber\n");
    tree_.file("/lib/modules/6.1.0-18-amd64/modules.dep", "kernel/block/kyber-iosched.ko:\n");
    tree_.file("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
    tree_.file("/sys/devices/system/cpu/cpufreq/policy0/scaling_available_governors",
               "performance powersave\n");
  }

  /// What is wrong with it, with what is said to mend it; "" when nothing is.
  std::string refusal(const Combination& combination) const {
    try {
      check_values(combination, {{"sda"}, {"/sys/class/block/sda/queue/read_ahead_kb"}, ""}, tree_.root());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::system);
      return std::string(error.what()) + " (" + error.remedy() + ")";
    }
    return "";
  }

  test::FakeTree tree_;
};

TEST_F(SettingCheck, WhatTheKernelCouldTakePasses) {
  EXPECT_EQ(refusal({{"scheduler", "none"}, {"nr_requests", "64"}, {"wbt_lat_usec", "-1"}}), "");
  EXPECT_EQ(refusal({{"read_ahead_kb", "0"}, {"vm.dirty_bytes", "4096"}, {"governor", "performance"}}), "");
  EXPECT_EQ(refusal({{"iosched.read_expire", "100"}, {"io-priority", "rt:4"}}), "");
}

TEST_F(SettingCheck, AValueThatIsNotListedIsRefused) {
  EXPECT_EQ(
      refusal({{"scheduler", "such"}}),
      "sda does not take scheduler=such: Invalid argument (it offers none, mq-deadline, kyber, bfq; it is "
      "mq-deadline now)");
  EXPECT_EQ(
      refusal({{"governor", "fast"}}),
      "policy0 does not take scaling_governor=fast: Invalid argument (it offers performance powersave; it is "
      "powersave now)");
}

TEST_F(SettingCheck, ASchedulerThatTheKernelCanLoadPasses) {
  tree_.file("/sys/class/block/sda/queue/scheduler", "[none] mq-deadline\n");
  EXPECT_EQ(refusal({{"scheduler", "bfq"}}), "");
  EXPECT_EQ(refusal({{"scheduler", "kyber"}}), "");
  EXPECT_NE(refusal({{"scheduler", "such"}}), "");
}

TEST_F(SettingCheck, AWordWhereANumberStandsIsRefused) {
  EXPECT_EQ(refusal({{"iosched.read_expire", "soon"}}),
            "sda does not take read_expire=soon: Invalid argument (it is 500 now)");
  EXPECT_EQ(refusal({{"scheduler", "bfq"}, {"iosched.read_expire", "soon"}}), "")
      << "not known before it is active";
}

TEST_F(SettingCheck, WhatIsNotThereIsRefused) {
  EXPECT_EQ(refusal({{"vm.dirty_ratio", "10"}, {"queue_depth", "1"}}), "") << "no setting of the machine";
  std::filesystem::remove(tree_.directory() + "/proc/sys/vm/swappiness");
  EXPECT_EQ(refusal({{"vm.swappiness", "10"}}),
            "cannot change vm.swappiness: /proc/sys/vm/swappiness: No such file or directory (this device or "
            "kernel "
            "has no such setting: leave it out)");
}

}  // namespace
}  // namespace xrunlab
