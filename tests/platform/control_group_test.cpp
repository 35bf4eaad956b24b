#include "xrunlab/platform/control_group.hpp"

#include <gmock/gmock.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;

TEST(ControlGroup, VersionTwo) {
  test::FakeTree tree;
  tree.file("/proc/self/cgroup", "0::/a.slice/b.service\n");
  EXPECT_EQ(control_group_path("", tree.root()), "/a.slice/b.service");
  EXPECT_THAT(control_group_directories("memory", tree.root()),
              ElementsAre("/sys/fs/cgroup/a.slice/b.service", "/sys/fs/cgroup/a.slice", "/sys/fs/cgroup"));
}

TEST(ControlGroup, VersionOneBesideTwo) {
  test::FakeTree tree;
  tree.file("/proc/self/cgroup", "9:name=systemd:/s.scope\n3:cpu,cpuacct:/box\n4:memory:/\n0::/u\n");
  tree.file("/sys/fs/cgroup/unified/u/cgroup.procs", "").file("/sys/fs/cgroup/cpu,cpuacct/box/tasks", "");
  EXPECT_EQ(control_group_path("", tree.root()), "/s.scope");
  EXPECT_THAT(control_group_directories("cpu", tree.root()),
              ElementsAre("/sys/fs/cgroup/cpu,cpuacct/box", "/sys/fs/cgroup/cpu,cpuacct"));
  EXPECT_THAT(control_group_directories("memory", tree.root()), ElementsAre("/sys/fs/cgroup/memory"));
  EXPECT_THAT(control_group_directories("io", tree.root()),
              ElementsAre("/sys/fs/cgroup/unified/u", "/sys/fs/cgroup/unified"));
}

TEST(ControlGroup, WithoutGroupsThereIsNothing) {
  test::FakeTree tree;
  EXPECT_EQ(control_group_path("cpu", tree.root()), std::nullopt);
  EXPECT_TRUE(control_group_directories("cpu", tree.root()).empty());
}

}  // namespace
}  // namespace xrunlab
