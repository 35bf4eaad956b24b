#include "xrunlab/platform/process_io.hpp"

#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

TEST(ProcessIo, ReadsBytesOfTheDeviceNotOfTheCalls) {
  test::FakeTree tree;
  EXPECT_EQ(device_read_bytes(tree.root()), std::nullopt);
  tree.file("/proc/self/io", "rchar: 6976\nwchar: 0\nread_bytes: 4096\nwrite_bytes: 7\n");
  EXPECT_EQ(device_read_bytes(tree.root()), 4096);
}

}  // namespace
}  // namespace xrunlab
