#include "xrunlab/platform/limits.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;
using test::run_in_child;

TEST(Limits, ReadsSoftAndHardByName) {
  FakeTree tree;
  tree.file("/proc/self/limits",
            "Limit                     Soft Limit           Hard Limit           Units     \n"
            "Max locked memory         65536                unlimited            bytes     \n"
            "Max realtime priority     0                    95                   \n");
  EXPECT_EQ(read_limit("Max locked memory", tree.root()).soft, 65536);
  EXPECT_EQ(read_limit("Max locked memory", tree.root()).hard, kUnlimited);
  EXPECT_EQ(read_limit("Max realtime priority", tree.root()).hard, 95);
}

TEST(Limits, RaisesOpenFilesToTheNumberNeeded) {
  const auto child = run_in_child([] {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < 200) return std::string("skip");
    limit.rlim_cur = 100;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    raise_open_files_limit(200);
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return std::to_string(limit.rlim_cur);
  });
  if (child.text == "skip") GTEST_SKIP() << "the hard limit of open files is below 200 here";
  EXPECT_EQ(child.text, "200");
}

TEST(Limits, NamesTheNumberWhenTheHardLimitIsTooSmall) {
  const auto child = run_in_child([] {
    const rlimit limit{64, 64};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    if (!test::become_nobody()) return std::string("no nobody");
    try {
      raise_open_files_limit(2000);
    } catch (const Error& error) {
      return std::to_string(static_cast<int>(error.code())) + " " + error.what() + " | " + error.remedy();
    }
    return std::string("accepted");
  });
  EXPECT_EQ(child.text.substr(0, 1), "3") << child.text;
  EXPECT_NE(child.text.find("needs 2000 open files, the hard limit is 64"), std::string::npos) << child.text;
  EXPECT_NE(child.text.find("LimitNOFILE=2000"), std::string::npos) << child.text;
}

TEST(Limits, NamesTheSysctlWhenTheKernelAllowsNoMore) {
  FakeTree tree;
  tree.file("/proc/sys/fs/nr_open", "1048576\n");
  try {
    raise_open_files_limit(std::int64_t{1} << 40, tree.root());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "sysctl fs.nr_open=1099511627776");
  }
}

TEST(Limits, AvailableMemoryIsTheNearestLimit) {
  FakeTree tree;
  tree.file("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable:  800 kB\n");
  EXPECT_EQ(available_memory_bytes(tree.root()), 800 * 1024);
  tree.file("/proc/self/cgroup", "0::/a/b\n").file("/sys/fs/cgroup/a/b/memory.max", "max\n");
  tree.file("/sys/fs/cgroup/a/b/memory.current", "100000\n");
  EXPECT_EQ(available_memory_bytes(tree.root()), 800 * 1024);
  tree.file("/sys/fs/cgroup/a/memory.max", "300000\n").file("/sys/fs/cgroup/a/memory.current", "200000\n");
  tree.file("/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 50000\n");
  EXPECT_EQ(available_memory_bytes(tree.root()), 150000) << "a group above counts, its idle cache does not";
  EXPECT_THROW(check_memory_for("the ring", 150001, tree.root()), Error);
  EXPECT_NO_THROW(check_memory_for("the ring", 150000, tree.root()));
}

TEST(Limits, AvailableMemoryOfVersionOneGroups) {
  FakeTree tree;
  tree.file("/proc/meminfo", "MemAvailable:  800 kB\n");
  tree.file("/proc/self/cgroup", "4:memory:/box\n1:cpu:/\n");
  tree.file("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "4096\n");
  tree.file("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1096\n");
  EXPECT_EQ(available_memory_bytes(tree.root()), 3000);
}

TEST(Limits, UnknownMemoryStopsNothing) {
  FakeTree tree;
  EXPECT_EQ(available_memory_bytes(tree.root()), -1);
  EXPECT_NO_THROW(check_memory_for("the ring", Bytes{1} << 50, tree.root()));
}

}  // namespace
}  // namespace xrunlab
