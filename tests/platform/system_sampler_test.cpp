#include "xrunlab/platform/system_sampler.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

TEST(SystemSampler, ReadsEveryCounterFromWhereTheKernelHasIt) {
  FakeTree tree;
  tree.file("/proc/self/task/77/schedstat", "461333 2000 9\n")
      .file("/proc/self/task/77/stat", "77 (play) (x) R 1 2 3 4 5 6 11 0 22 0 0 0\n")
      .file(
          "/proc/stat",
          "cpu  1 2 3 4 50 6 7 90 0 0\ncpu0 1 2 3 4 20 6 7 60 0 0\ncpu1 1 2 3 4 30 6 7 30 0 0\nintr 5 cpu\n")
      .file("/proc/diskstats",
            "   7       0 loop0 1 2 3 4 5 6 7 8 0 648 10\n"
            " 254       0 vda 8 1 1 1 4 9 1 5 0 198540 19 1 3 1 3 9 7\n")
      .file("/proc/pressure/io",
            "some avg10=93.52 avg60=67.82 avg300=30.40 total=969\nfull avg10=1 total=4\n");
  SystemSampler sampler({"vda", "nvme0n1"}, tree.root());
  sampler.watch(SampledThread::playback, 77);
  const auto sample = sampler.sample();
  const std::int64_t tick_ns = 1'000'000'000 / sysconf(_SC_CLK_TCK);
  EXPECT_EQ(sample.thread(SampledThread::playback).cpu_ns, 461'333);
  EXPECT_EQ(sample.thread(SampledThread::playback).run_delay_ns, 2000);
  EXPECT_EQ(sample.thread(SampledThread::playback).minor_faults, 11);
  EXPECT_EQ(sample.thread(SampledThread::playback).major_faults, 22);
  EXPECT_EQ(sample.thread(SampledThread::reader).cpu_ns, std::nullopt);
  EXPECT_EQ(sample.steal_ns, (std::vector<std::int64_t>{60 * tick_ns, 30 * tick_ns}));
  EXPECT_EQ(sample.iowait_ns, 50 * tick_ns);
  EXPECT_EQ(sample.io_pressure_ns, 969'000);
  EXPECT_EQ(sample.cpu_pressure_ns, std::nullopt);
  ASSERT_EQ(sample.device_busy_ns.size(), 2u);
  EXPECT_EQ(sample.device_busy_ns[0], 198'540'000'000);
  EXPECT_EQ(sample.device_busy_ns[1], std::nullopt);
  EXPECT_GT(sample.at_ns, 0);
}

TEST(SystemSampler, WhatIsNotThereStaysAbsent) {
  FakeTree tree;
  tree.file("/proc/self/task/77/schedstat", "0 0 0\n").file("/proc/self/task/77/stat", "77 (cut");
  SystemSampler sampler({}, tree.root());
  sampler.watch(SampledThread::playback, 77);
  sampler.watch(SampledThread::reader, 78);
  const auto sample = sampler.sample();
  for (const auto& thread : sample.threads) {
    EXPECT_EQ(thread.run_delay_ns, std::nullopt);
    EXPECT_EQ(thread.minor_faults, std::nullopt);
  }
  EXPECT_TRUE(sample.steal_ns.empty());
  EXPECT_EQ(sample.iowait_ns, std::nullopt);
}

TEST(SystemSampler, ThisMachineCountsTheCallingThreadsFaults) {
  SystemSampler sampler({});
  sampler.watch(SampledThread::reader, gettid());
  const auto before = sampler.sample().thread(SampledThread::reader).minor_faults;
  ASSERT_TRUE(before.has_value());
  const std::vector<char> touched(std::size_t{8} << 20, 1);
  EXPECT_GT(sampler.sample().thread(SampledThread::reader).minor_faults.value(), *before);
}

}  // namespace
}  // namespace xrunlab
