#include "xrunlab/platform/sys_root.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

TEST(SysRoot, ReadsBelowThePrefixAndCutsTheEnd) {
  FakeTree tree;
  tree.file("/proc/a", "12 and more \n\n").file("/proc/empty", "").link("/sys/b", "../x/y");
  const SysRoot root = tree.root();
  EXPECT_EQ(root.read("/proc/a"), "12 and more");
  EXPECT_EQ(root.read_integer("/proc/a"), 12);
  EXPECT_EQ(root.read("/proc/empty"), "");
  EXPECT_EQ(root.read_integer("/proc/empty"), std::nullopt);
  EXPECT_EQ(root.read("/proc/missing"), std::nullopt);
  EXPECT_EQ(root.read("/proc"), std::nullopt) << "a directory is no file";
  EXPECT_EQ(root.read_link("/sys/b"), "../x/y");
  EXPECT_TRUE(root.exists("/sys/b")) << "a dangling link is there";
  EXPECT_THAT(root.list("/proc"), testing::ElementsAre("a", "empty"));
  EXPECT_THAT(root.list("/nowhere"), testing::IsEmpty());
}

TEST(SysRoot, TakesThePrefixFromTheEnvironment) {
  FakeTree tree;
  tree.file("/proc/version", "fake");
  ::setenv("XRUNLAB_SYSROOT", tree.directory().c_str(), 1);
  const SysRoot fake;
  ::unsetenv("XRUNLAB_SYSROOT");
  EXPECT_TRUE(fake.is_fake());
  EXPECT_EQ(fake.read("/proc/version"), "fake");
  EXPECT_FALSE(SysRoot().is_fake());
  EXPECT_NE(SysRoot().read("/proc/self/status"), std::nullopt) << "files of /proc have no size";
}

}  // namespace
}  // namespace xrunlab
