#include "xrunlab/timing/trace_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "xrunlab/core/units.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kFragment = 1s;

Event event_at(EventKind kind, Nanoseconds at) {
  Event event{};
  event.kind = kind;
  event.at_ns = at.count();
  return event;
}

/// A window of ten seconds, and the times of what it has handed on, in seconds.
struct Kept {
  explicit Kept(std::size_t most = 1000) : window(10s, kFragment, most) {}

  void add(const Event& event) {
    window.add(event, [this](const Event& kept) { take(kept); });
  }
  /// A fragment each second of [begin, end).
  void play(std::int64_t begin, std::int64_t end) {
    for (std::int64_t second = begin; second < end; ++second)
      add(event_at(EventKind::fragment, Nanoseconds{second * kNsPerSecond}));
  }
  void finish() {
    window.finish([this](const Event& kept) { take(kept); });
  }
  void take(const Event& event) {
    if (event.kind == EventKind::fragment) seconds.push_back(event.at_ns / kNsPerSecond);
    if (event.kind != EventKind::fragment) ++others;
  }

  TraceWindow window;
  std::vector<std::int64_t> seconds;
  int others = 0;
};

std::vector<std::int64_t> counted(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = begin; number < end; ++number) numbers.push_back(number);
  return numbers;
}

std::vector<std::int64_t> both(std::vector<std::int64_t> first, const std::vector<std::int64_t>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(TraceWindow, KeepsWhatIsAroundAnEpisodeAndTheEnd) {
  Kept kept;
  kept.play(0, 103);
  Event episode = event_at(EventKind::episode, 100s);
  episode.episode = {.duration_ns = kNsPerSecond};
  kept.add(episode);
  kept.play(103, 300);
  kept.finish();
  EXPECT_EQ(kept.seconds, both(counted(91, 107), counted(289, 300)));
  EXPECT_EQ(kept.window.overflows(), 0);
}

TEST(TraceWindow, KeepsTheWholeWindowBeforeALongWait) {
  Kept kept;
  kept.play(0, 101);
  // Nothing is played for half a minute; the reads and samples of that time push nothing out.
  for (std::int64_t tenth = 1000; tenth < 1300; ++tenth)
    kept.add(event_at(EventKind::sample, Nanoseconds{tenth * kNsPerSecond / 10}));
  Event starvation = event_at(EventKind::starvation, 100s);
  starvation.starvation = {.duration_ns = 30 * kNsPerSecond};
  kept.add(starvation);
  kept.play(131, 300);
  kept.finish();
  EXPECT_EQ(kept.seconds, both(counted(89, 101), both(counted(131, 136), counted(289, 300))));
  EXPECT_EQ(kept.others, 301);
}

TEST(TraceWindow, KnowsWhatWentWrongBeforeItHasBeenJudged) {
  const auto around = [](Event wrong) {
    Kept kept;
    kept.play(0, 100);
    kept.add(wrong);
    kept.play(101, 200);
    kept.finish();
    return both(counted(88, 100), counted(101, 106)).size() <= kept.seconds.size() &&
           kept.seconds.front() == 88 && std::count(kept.seconds.begin(), kept.seconds.end(), 105) == 1 &&
           std::count(kept.seconds.begin(), kept.seconds.end(), 120) == 0;
  };
  EXPECT_TRUE(around(event_at(EventKind::xrun, 100s)));
  EXPECT_TRUE(around(event_at(EventKind::input_failed, 100s)));
  Event late = event_at(EventKind::fragment, 100s);
  late.fragment.t1_ns = kNsPerSecond + 1;
  EXPECT_TRUE(around(late));
  late.fragment = {.t3_ns = kNsPerSecond + 1};
  EXPECT_TRUE(around(late));
  late.fragment = {.t2_ns = 2 * kNsPerSecond + 1};
  EXPECT_TRUE(around(late));
  late.fragment = {.t2_ns = 2 * kNsPerSecond};
  EXPECT_FALSE(around(late)) << "a write waits for the card by design";
}

TEST(TraceWindow, EpisodesNearEachOtherAreKeptAsOnePiece) {
  Kept kept;
  kept.play(0, 100);
  kept.add(event_at(EventKind::xrun, 100s));
  kept.play(100, 112);
  kept.add(event_at(EventKind::xrun, 112s));
  kept.play(112, 200);
  kept.finish();
  EXPECT_EQ(kept.seconds, both(counted(88, 118), counted(189, 200)));
}

TEST(TraceWindow, HoldsNoMoreThanItMay) {
  Kept kept(4);
  kept.play(0, 300);
  kept.finish();
  EXPECT_EQ(kept.seconds, counted(296, 300));
  EXPECT_GT(kept.window.overflows(), 0);
}

}  // namespace
}  // namespace xrunlab
