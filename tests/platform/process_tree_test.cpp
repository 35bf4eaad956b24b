#include "xrunlab/platform/process_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// One line of /proc/PID/stat with the fields that count, and one of io.
void plant(test::FakeTree& tree, int pid, const std::string& name, int parent, int ticks, int bytes) {
  const std::string directory = "/proc/" + std::to_string(pid);
  tree.file(directory + "/stat", std::to_string(pid) + " (" + name + ") S " + std::to_string(parent) +
                                     " 1 1 0 -1 4194304 0 0 0 0 " + std::to_string(ticks) +
                                     " 1 2 3 20 0 1 0 9\n");
  tree.file(directory + "/io", "rchar: 1\nread_bytes: " + std::to_string(bytes) + "\nwrite_bytes: 4096\n");
}

TEST(ProcessTree, ChildrenAreFoundByTheirParent) {
  test::FakeTree tree;
  plant(tree, 10, "guard", 1, 0, 0);
  plant(tree, 11, "a) S 7 (b", 10, 0, 0);
  plant(tree, 12, "other", 1, 0, 0);
  plant(tree, 13, "c", 10, 0, 0);
  tree.file("/proc/self/stat", "no process");
  tree.file("/proc/14/stat", "14 (cut");
  EXPECT_THAT(children_of(10, tree.root()), ElementsAre(11, 13));
  EXPECT_THAT(children_of(13, tree.root()), IsEmpty());
}

TEST(ProcessTree, UsageIsThatOfAllDescendants) {
  test::FakeTree tree;
  plant(tree, 20, "top", 1, 10, 100);
  plant(tree, 21, "child", 20, 20, 1000);
  plant(tree, 22, "grandchild", 21, 30, 10000);
  plant(tree, 23, "stranger", 1, 40, 100000);
  const auto usage = usage_of_tree(20, tree.root());
  const auto tick = Nanoseconds{kNsPerSecond / ::sysconf(_SC_CLK_TCK)};
  EXPECT_EQ(usage.processes, 3);
  EXPECT_EQ(usage.cpu, (60 + 3 * 6) * tick);
  EXPECT_EQ(usage.device_read, 11100);
  EXPECT_EQ(usage.device_written, 3 * 4096);
  EXPECT_EQ(usage_of_tree(99, tree.root()).processes, 0);
}

TEST(ProcessTree, KillLeavesNoDescendant) {
  const auto result = test::run_in_child([]() -> std::string {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int index = 0; index < 3; ++index) {
      if (::fork() == 0) {
        ::setsid();
        for (int depth = 0; depth < 3 && ::fork() == 0; ++depth) ::setsid();
        for (;;) ::pause();
      }
    }
    kill_descendants();
    return std::to_string(children_of(::getpid()).size());
  });
  EXPECT_EQ(result.text, "0");
}

}  // namespace
}  // namespace xrunlab
