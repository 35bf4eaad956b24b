#include "xrunlab/platform/machine_usage.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

TEST(MachineUsage, IsWhatTheCountersGrewByMeanwhile) {
  FakeTree tree;
  tree.file(
      "/proc/stat",
      "cpu  10 20 30 400 50 60 70 80 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\nintr 1000 7 0 0\nctxt 5000\nbtime 1\n");
  const auto before = sample_machine_usage(tree.root());
  tree.file(
      "/proc/stat",
      "cpu  11 22 33 404 55 66 77 88 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\nintr 1009 7 0 0\nctxt 5010\nbtime 1\n");
  const auto usage = machine_usage(before, sample_machine_usage(tree.root()));
  ASSERT_TRUE(usage.has_value());
  const std::int64_t tick_ns = 1'000'000'000 / sysconf(_SC_CLK_TCK);
  EXPECT_GT(usage->wall_ns, 0);
  EXPECT_EQ(usage->user_ns, 1 * tick_ns);
  EXPECT_EQ(usage->nice_ns, 2 * tick_ns);
  EXPECT_EQ(usage->system_ns, 3 * tick_ns);
  EXPECT_EQ(usage->idle_ns, 4 * tick_ns);
  EXPECT_EQ(usage->iowait_ns, 5 * tick_ns);
  EXPECT_EQ(usage->irq_ns, 6 * tick_ns);
  EXPECT_EQ(usage->softirq_ns, 7 * tick_ns);
  EXPECT_EQ(usage->steal_ns, 8 * tick_ns);
  EXPECT_EQ(usage->interrupts, 9);
  EXPECT_EQ(usage->context_switches, 10);
}

TEST(MachineUsage, WhatAnOldKernelDoesNotTellIsAbsent) {
  FakeTree tree;
  tree.file("/proc/stat", "cpu 1 2 3 4\nctxt x\n");
  const auto before = sample_machine_usage(tree.root());
  const auto usage = machine_usage(before, before);
  ASSERT_TRUE(usage.has_value());
  EXPECT_EQ(usage->idle_ns, 0);
  EXPECT_EQ(usage->iowait_ns, std::nullopt);
  EXPECT_EQ(usage->interrupts, std::nullopt);
  EXPECT_EQ(usage->context_switches, std::nullopt);
}

TEST(MachineUsage, CountersThatGoBackwardsGrewByNothing) {
  FakeTree tree;
  tree.file("/proc/stat", "cpu 1 2 3 4 9\n");
  const auto before = sample_machine_usage(tree.root());
  tree.file("/proc/stat", "cpu 1 2 3 4 8\n");
  EXPECT_EQ(machine_usage(before, sample_machine_usage(tree.root()))->iowait_ns, 0);
}

TEST(MachineUsage, NothingIsCountedWithoutProc) {
  FakeTree tree;
  const auto before = sample_machine_usage(tree.root());
  EXPECT_EQ(machine_usage(before, before), std::nullopt);
}

TEST(MachineUsage, ThisMachineTellsAll) {
  const auto before = sample_machine_usage();
  const auto usage = machine_usage(before, sample_machine_usage());
  ASSERT_TRUE(usage.has_value());
  EXPECT_TRUE(usage->user_ns && usage->system_ns && usage->interrupts && usage->context_switches);
}

}  // namespace
}  // namespace xrunlab
