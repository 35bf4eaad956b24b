#include "xrunlab/model/spans.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using Spans = std::vector<Span>;

TEST(Spans, OverlapsCountOnce) {
  EXPECT_EQ(united({{5, 9}, {1, 3}, {2, 4}, {7, 7}, {9, 12}}), (Spans{{1, 4}, {5, 12}}));
  EXPECT_EQ(length_ns({{5, 9}, {1, 3}, {2, 4}}), 7);
  EXPECT_EQ(length_ns({{9, 5}}), 0);
  EXPECT_EQ(length_ns({}), 0);
}

TEST(Spans, WhatIsInBoth) {
  EXPECT_EQ(common({{0, 10}, {20, 30}}, {{5, 22}, {28, 40}}), (Spans{{5, 10}, {20, 22}, {28, 30}}));
  EXPECT_EQ(common({{0, 10}}, {{10, 20}}), Spans{});
  EXPECT_EQ(common({}, {{10, 20}}), Spans{});
}

TEST(Spans, WhatIsLeftWithoutTheOther) {
  EXPECT_EQ(without({{0, 10}, {20, 30}}, {{5, 22}, {28, 40}}), (Spans{{0, 5}, {22, 28}}));
  EXPECT_EQ(without({{0, 10}}, {{2, 3}, {5, 6}}), (Spans{{0, 2}, {3, 5}, {6, 10}}));
  EXPECT_EQ(without({{0, 10}}, {{0, 10}}), Spans{});
  EXPECT_EQ(without({{0, 10}}, {}), (Spans{{0, 10}}));
}

}  // namespace
}  // namespace xrunlab
