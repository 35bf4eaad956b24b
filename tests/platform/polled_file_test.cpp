#include "xrunlab/platform/polled_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

TEST(PolledFile, EachReadingIsOfNow) {
  FakeTree tree;
  tree.file("/counter", "1\n");
  PolledFile file(tree.root().path("/counter"));
  EXPECT_EQ(file.read(), "1\n");
  std::ofstream(tree.root().path("/counter")) << "1234\n";
  EXPECT_EQ(file.read(), "1234\n");
  std::ofstream(tree.root().path("/counter")) << "5\n";
  EXPECT_EQ(file.read(), "5\n");
}

TEST(PolledFile, OneThatComesLaterIsFound) {
  FakeTree tree;
  PolledFile file(tree.root().path("/late"));
  EXPECT_EQ(file.read(), std::nullopt);
  tree.file("/late", "here\n");
  EXPECT_EQ(file.read(), "here\n");
}

TEST(PolledFile, ALongOneIsWhole) {
  FakeTree tree;
  std::string text;
  for (int line = 0; line < 2000; ++line) text += "cpu" + std::to_string(line) + " 1 2 3\n";
  tree.file("/long", text);
  PolledFile file(tree.root().path("/long"));
  EXPECT_EQ(file.read(), text);
}

TEST(PolledFile, TheKernelsCountersGoOn) {
  PolledFile file("/proc/thread-self/stat");
  const std::string before(file.read().value());
  volatile std::uint64_t work = 0;
  for (int step = 0; step < 100'000'000; ++step) work = work + 1;
  EXPECT_NE(file.read().value(), before);
}

}  // namespace
}  // namespace xrunlab
