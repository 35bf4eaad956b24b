#include "xrunlab/report/what_if_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_with(std::int64_t xruns) {
  WhatIfTrial trial;
  trial.granted = {48'000, 1024, 4096};
  trial.xruns = xruns;
  WhatIfTable table{.record = "run.trace", .rate_hz = 48'000, .recorded = {}, .trials = {trial}, .safe = {}};
  table.safe.push_back({.period = 1024, .buffer = 4096, .smallest = trial});
  return what_if_text(table);
}

TEST(WhatIfText, ARingThatDoesNotStarveIsNotCalledSafeWhileXrunsRemain) {
  EXPECT_THAT(text_with(2), HasSubstr("smallest ring that does not starve: 48000 frames"));
  EXPECT_THAT(text_with(2), HasSubstr("; 2 xruns remain\n"));
  EXPECT_THAT(text_with(1), HasSubstr("; 1 xrun remains\n"));
  EXPECT_THAT(text_with(0), Not(HasSubstr("remain")));
  EXPECT_THAT(text_with(2), Not(HasSubstr("safe")));
}

}  // namespace
}  // namespace xrunlab
