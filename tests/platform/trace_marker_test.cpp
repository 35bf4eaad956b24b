#include "xrunlab/platform/trace_marker.hpp"

#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

TEST(TraceMarker, WritesOneLine) {
  FakeTree tree;
  tree.file("/sys/kernel/debug/tracing/trace_marker", "");
  TraceMarker marker(tree.root());
  ASSERT_TRUE(marker.there());
  marker.mark(Nanoseconds{341'201}, Nanoseconds{200'000});
  EXPECT_EQ(tree.root().read("/sys/kernel/debug/tracing/trace_marker"),
            "xrunlab: woken 341201 ns late, limit 200000 ns");
}

TEST(TraceMarker, WithoutTracefsItDoesNothing) {
  FakeTree tree;
  TraceMarker marker(tree.root());
  EXPECT_FALSE(marker.there());
  marker.mark(Nanoseconds{1}, Nanoseconds{0});
}

}  // namespace
}  // namespace xrunlab
