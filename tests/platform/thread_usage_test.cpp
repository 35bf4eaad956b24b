#include "xrunlab/platform/thread_usage.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <thread>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using test::FakeTree;

TEST(ThreadUsage, DifferenceKeepsTheExactTotalAndTheRatio) {
  ThreadUsage before;
  ThreadUsage after;
  before.at = 5s;
  after.at = 6s;
  before.cpu = 1000ns;
  after.cpu = 10'001'001ns;
  after.user = 8ms;
  after.system = 4ms;
  after.minor_faults = 5;
  after.voluntary_switches = 7;
  before.run_delay = 100ns;
  after.run_delay = 350ns;
  const ThreadData data = thread_data("reader", "SCHED_OTHER", before, after);
  EXPECT_EQ(data.user_ns + data.system_ns, 10'000'001);
  EXPECT_EQ(data.system_ns, 10'000'001 / 3);
  EXPECT_EQ(data.wall_ns, 1'000'000'000);
  EXPECT_EQ(data.minor_faults, 5);
  EXPECT_EQ(data.voluntary_switches, 7);
  EXPECT_EQ(data.run_delay_ns, 250);
  EXPECT_EQ(data.name, "reader");
}

TEST(ThreadUsage, OfOneThreadIsNoLongerThanTheWallTimeAround) {
  const ThreadUsage before = sample_thread_usage();
  timespec spent{};
  while (spent.tv_sec == 0 && spent.tv_nsec < 20'000'000) ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  std::this_thread::sleep_for(5ms);
  const ThreadData data = thread_data("test", "", before, sample_thread_usage());
  EXPECT_GE(data.wall_ns, 5'000'000);
  EXPECT_GT(data.wall_ns, data.user_ns + data.system_ns);
}

TEST(ThreadUsage, OfAnotherThreadIsReadFromProc) {
  FakeTree tree;
  tree.file("/proc/self/task/77/stat",
            "77 (a) b) S 1 2 3 4 5 6 70 8 90 10 11 12 13 14 15 16 17 18 19 20 21 22");
  tree.file("/proc/self/task/77/schedstat", "5000000 600 7");
  tree.file("/proc/self/task/77/status", "voluntary_ctxt_switches:\t31\nnonvoluntary_ctxt_switches:\t4\n");
  const auto usage = thread_usage_of(77, tree.root());
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->minor_faults, 70);
  EXPECT_EQ(usage->major_faults, 90);
  EXPECT_EQ(usage->user / 11, usage->system / 12);
  EXPECT_EQ(usage->cpu, 5ms);
  EXPECT_EQ(usage->run_delay, 600ns);
  EXPECT_EQ(usage->voluntary_switches, 31);
  EXPECT_EQ(usage->involuntary_switches, 4);
  EXPECT_FALSE(thread_usage_of(78, tree.root()));
}

TEST(ThreadUsage, WithoutTicksAllIsUserTime) {
  ThreadUsage after;
  after.cpu = 900ns;
  const ThreadData data = thread_data("main", "", {}, after);
  EXPECT_EQ(data.user_ns, 900);
  EXPECT_EQ(data.system_ns, 0);
  EXPECT_EQ(data.run_delay_ns, std::nullopt);
}

TEST(ThreadUsage, RunDelayIsTheSecondField) {
  FakeTree tree;
  tree.file("/proc/thread-self/schedstat", "848564 88420 3\n");
  EXPECT_EQ(sample_thread_usage(tree.root()).run_delay, 88420ns);
  tree.file("/proc/thread-self/schedstat", "0 0 0\n");
  EXPECT_EQ(sample_thread_usage(tree.root()).run_delay, std::nullopt) << "a kernel without figures";
  EXPECT_EQ(sample_thread_usage(SysRoot("/nonexistent")).run_delay, std::nullopt);
}

TEST(ThreadUsage, CountsFaultsAndSwitchesOfThisThread) {
  const ThreadUsage before = sample_thread_usage();
  constexpr std::size_t kPages = 64;
  const auto size = kPages * static_cast<std::size_t>(kPageBytes);
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ::madvise(memory, size, MADV_NOHUGEPAGE);
  for (std::size_t page = 0; page < kPages; ++page) {
    static_cast<volatile char*>(memory)[page * static_cast<std::size_t>(kPageBytes)] = 1;
  }
  ::munmap(memory, size);
  for (int nap = 0; nap < 10; ++nap) std::this_thread::sleep_for(1ms);
  const ThreadData data = thread_data("test", "", before, sample_thread_usage());
  EXPECT_GE(data.minor_faults, static_cast<std::int64_t>(kPages));
  EXPECT_GE(data.voluntary_switches, 10);
}

TEST(ThreadUsage, OfAnotherThreadIsNotOurs) {
  const ThreadUsage before = sample_thread_usage();
  std::thread([] {
    timespec spent{};
    while (spent.tv_sec == 0 && spent.tv_nsec < 50'000'000) ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  }).join();
  EXPECT_LT((sample_thread_usage().cpu - before.cpu).count(), 50'000'000);
}

/// Two threads that want one CPU wait for each other about half of the time.
TEST(ThreadUsage, RunDelayShowsTheWaitForACpu) {
  if (!sample_thread_usage().run_delay) GTEST_SKIP() << "this kernel keeps no run-queue delay";
  const int cpu = ::sched_getcpu();
  Nanoseconds delay{};
  const auto spin = [cpu](Nanoseconds* measured) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ::sched_setaffinity(0, sizeof set, &set);
    const auto before = sample_thread_usage();
    const auto until = std::chrono::steady_clock::now() + 200ms;
    while (std::chrono::steady_clock::now() < until) {
    }
    if (measured != nullptr) *measured = *sample_thread_usage().run_delay - *before.run_delay;
  };
  std::thread first(spin, &delay);
  std::thread second(spin, nullptr);
  first.join();
  second.join();
  EXPECT_GT(delay, 20ms);
}

}  // namespace
}  // namespace xrunlab
