#include "xrunlab/platform/realtime_refusal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "xrunlab/platform/scheduling.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

/// A machine on which the user `groups` 1000 29 has no real-time limit.
class RealtimeRefusal : public testing::Test {
 protected:
  RealtimeRefusal() {
    tree_.file("/proc/self/limits", "Max realtime priority     0                    0                    \n");
    tree_.file("/proc/self/status", "Groups:\t1000 29 \nCapEff:\t0000000000000000\n");
    tree_.file("/proc/self/cgroup", "0::/user.slice/user-1000.slice/session-2.scope\n");
    tree_.file("/etc/group", "audio:x:29:me\nrealtime:x:120:\n");
  }
  void expect(const std::string& part) {
    const std::string text = explain_realtime_refusal(tree_.root());
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  FakeTree tree_;
};

TEST_F(RealtimeRefusal, NoSettingAtAll) {
  tree_.file("/etc/security/limits.conf", "# @audio - rtprio 95\n@audio - nofile 10\n");
  expect("put \"@audio - rtprio 95\"");
}

TEST_F(RealtimeRefusal, MisspeltFileName) {
  tree_.file("/etc/security/limits.d/audio.cnf", "@audio - rtprio 95\n");
  expect("/etc/security/limits.d/audio.cnf sets rtprio but is not read");
}

TEST_F(RealtimeRefusal, SettingNotInForceYet) {
  tree_.file("/etc/security/limits.d/audio.conf", "@audio   -  rtprio     95 # for JACK\n");
  expect("gives rtprio to @audio, but this login began without it");
}

TEST_F(RealtimeRefusal, SettingForAGroupOfOthers) {
  tree_.file("/etc/security/limits.d/95-realtime.conf", "@realtime - rtprio 98\n");
  expect("to the group realtime, which this process is not in; usermod -aG realtime USER");
}

TEST_F(RealtimeRefusal, SystemdServices) {
  tree_.file("/proc/self/cgroup", "0::/system.slice/player.service\n");
  expect("`systemctl edit player.service`: [Service] LimitRTPRIO=95");
  tree_.file("/proc/self/cgroup",
             "0::/user.slice/user-1000.slice/user@1000.service/app.slice/player.service\n");
  expect("`systemctl --user edit player.service`");
  tree_.file("/proc/self/cgroup", "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope\n");
  expect("put \"@audio - rtprio 95\"");
}

TEST_F(RealtimeRefusal, Container) {
  tree_.file("/run/.containerenv", "");
  expect("a container (podman) without CAP_SYS_NICE; start it with --cap-add=SYS_NICE");
}

TEST_F(RealtimeRefusal, GroupWithoutRealTimeShareComesFirst) {
  tree_.file("/run/.containerenv", "");
  tree_.file("/proc/self/cgroup", "3:cpu,cpuacct:/box\n0::/\n");
  tree_.file("/sys/fs/cgroup/cpu,cpuacct/box/cpu.rt_runtime_us", "0\n");
  expect("echo 950000 > /sys/fs/cgroup/cpu,cpuacct/box/cpu.rt_runtime_us");
}

TEST_F(RealtimeRefusal, RightsThatDidNotHelp) {
  tree_.file("/proc/self/status", "CapEff:\t0000000000800000\n");
  expect("has CAP_SYS_NICE and was refused all the same");
}

/// On a kernel with RT_GROUP_SCHED a new group has no real-time share: the real refusal, not a fake one.
TEST(RealtimeThrottling, IsTheShareThatTheKernelKeepsForOthers) {
  FakeTree tree;
  EXPECT_EQ(throttling_of(0.99, tree.root()), "") << "not said";
  tree.file("/proc/sys/kernel/sched_rt_period_us", "1000000\n");
  tree.file("/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
  EXPECT_EQ(throttling_of(0.94, tree.root()), "");
  const std::string text = throttling_of(0.96, tree.root());
  EXPECT_NE(text.find("takes 96 % of the time, but the kernel leaves real-time threads 95 %"),
            std::string::npos)
      << text;
  tree.file("/proc/sys/kernel/sched_rt_runtime_us", "-1\n");
  EXPECT_EQ(throttling_of(0.99, tree.root()), "") << "no throttling";
}

TEST(RealtimeRefusalHere, IsExplainedInAGroupWithoutShare) {
  const std::string group = "/sys/fs/cgroup/cpu/xrunlab-test-" + std::to_string(::getpid());
  if (::mkdir(group.c_str(), 0755) != 0) GTEST_SKIP() << "no right to make a version 1 control group here";
  if (SysRoot("").read_integer(group + "/cpu.rt_runtime_us") != 0) {
    ::rmdir(group.c_str());
    GTEST_SKIP() << "this kernel has no RT_GROUP_SCHED";
  }
  const auto child = test::run_in_child([&] {
    std::ofstream(group + "/cgroup.procs") << ::getpid();
    const auto result = apply_scheduling({SchedPolicy::fifo, 10}, SysRoot(""));
    return result.policy + " " + (result.warnings.empty() ? "" : result.warnings.front());
  });
  ::rmdir(group.c_str());
  EXPECT_EQ(child.text.find("SCHED_OTHER no SCHED_FIFO priority 10: the kernel has RT_GROUP_SCHED"), 0u)
      << child.text;
}

}  // namespace
}  // namespace xrunlab
