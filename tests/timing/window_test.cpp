#include "xrunlab/timing/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace xrunlab {
namespace {

/// Of ten seconds, the `index`-th of a run; no two are alike.
WindowFigures window_of(std::int64_t index) {
  return {.start_ns = index * 10,
          .length_ns = 10,
          .fragments = 1 + index % 7,
          .ring_read_max_ns = index * 37 % 101,
          .pcm_write_max_ns = index * 41 % 103,
          .outside_max_ns = index * 43 % 107,
          .lateness_max_ns = index * 47 % 109,
          .cycle_max_ns = index * 53 % 113,
          .starved_reads = index % 3,
          .xruns = index % 2,
          .ring_low_water = index % 5 == 0 ? WindowFigures::kNoLowWater : 1000 - index,
          .slack_low_water = 500 + index};
}

WindowFigures all_in_one(const std::vector<WindowFigures>& windows) {
  WindowFigures all = windows.front();
  for (std::size_t index = 1; index < windows.size(); ++index) all = joined(all, windows[index]);
  return all;
}

TEST(WindowSeries, KeepsWindowsAsTheyAreWhileThereIsRoom) {
  WindowSeries series(3, 8);
  std::vector<WindowFigures> given;
  for (std::int64_t index = 0; index < 8; ++index) {
    given.push_back(window_of(index));
    series.add(given.back());
  }
  EXPECT_EQ(series.all(), given);
}

TEST(WindowSeries, JoinsNeighboursWhenThereIsNone) {
  for (const std::int64_t count : {9, 10, 16, 17, 33, 100, 1000}) {
    WindowSeries series(8, 8);
    std::vector<WindowFigures> given;
    for (std::int64_t index = 0; index < count; ++index) {
      given.push_back(window_of(index));
      series.add(given.back());
    }
    const auto& kept = series.all();
    ASSERT_LE(kept.size(), 8u) << count;
    EXPECT_GE(kept.size(), 4u) << count;
    EXPECT_EQ(all_in_one(kept), all_in_one(given)) << count;
    for (std::size_t index = 1; index < kept.size(); ++index) {
      EXPECT_EQ(kept[index].start_ns, kept[index - 1].start_ns + kept[index - 1].length_ns) << count;
      if (index + 1 == kept.size()) continue;  // the last one may be shorter
      EXPECT_EQ(kept[index].length_ns, kept[0].length_ns) << count;
    }
  }
}

TEST(WindowSeries, TakesNoMoreMemoryThanWasExpected) {
  WindowSeries series(64, 64);
  const auto* const memory = series.all().data();
  const auto capacity = series.all().capacity();
  for (std::int64_t index = 0; index < 10'000; ++index) series.add(window_of(index));
  EXPECT_EQ(series.all().data(), memory);
  EXPECT_EQ(series.all().capacity(), capacity);
}

}  // namespace
}  // namespace xrunlab
