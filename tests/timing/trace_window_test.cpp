#include "xrunlab/timing/trace_window.hpp"

#include <gtest/gtest.h>

#include "xrunlab/core/units.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

Event fragment_at(Nanoseconds at) {
  Event event{};
  event.kind = EventKind::fragment;
  event.at_ns = at.count();
  return event;
}

/// What a window of ten seconds hands on of a fragment a second and an episode at 100 s, found at 102 s.
std::vector<std::int64_t> kept_seconds(std::size_t most) {
  TraceWindow window(10s, most);
  std::vector<std::int64_t> kept;
  const auto write = [&kept](const Event& event) {
    if (event.kind == EventKind::fragment) kept.push_back(event.at_ns / kNsPerSecond);
  };
  for (std::int64_t second = 0; second < 300; ++second) {
    window.add(fragment_at(Nanoseconds{second * kNsPerSecond}), write);
    if (second != 102) continue;
    Event episode{};
    episode.kind = EventKind::episode;
    episode.at_ns = 100 * kNsPerSecond;
    episode.episode = {.duration_ns = kNsPerSecond};
    window.add(episode, write);
  }
  window.finish(write);
  return kept;
}

TEST(TraceWindow, KeepsWhatIsAroundAnEpisodeAndTheEnd) {
  const auto kept = kept_seconds(1000);
  std::vector<std::int64_t> expected;
  for (std::int64_t second = 92; second <= 106; ++second) expected.push_back(second);
  for (std::int64_t second = 289; second < 300; ++second) expected.push_back(second);
  EXPECT_EQ(kept, expected);
}

TEST(TraceWindow, HoldsNoMoreThanItMay) {
  const auto kept = kept_seconds(4);
  EXPECT_EQ(kept.back(), 299);
  EXPECT_LE(kept.size(), 4U + 4U + 4U);
}

}  // namespace
}  // namespace xrunlab
