#include "xrunlab/timing/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace xrunlab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// At 1000 Hz a frame is a millisecond: F/r = 10 ms, (B − F)/r = 20 ms.
constexpr CardGeometry kCard{.rate = {1000}, .fragment = 10, .buffer = 30};
constexpr Nanoseconds kStart = seconds{100};

struct Bench {
  explicit Bench(std::size_t window_capacity = 16) : windows(window_capacity) {
    recorder = std::make_unique<PlaybackRecorder>(RecorderConfig{.bound = milliseconds{10},
                                                                 .card = kCard,
                                                                 .trace = std::move(trace.producer),
                                                                 .marks = std::move(marks.producer),
                                                                 .windows = std::move(windows.producer)});
    recorder->card_started(kStart);
  }

  template <typename T>
  static std::vector<T> drain(EventConsumer<T>& consumer) {
    std::vector<T> all(64);
    all.resize(consumer.pop(all.data(), all.size()));
    return all;
  }

  EventQueue<Event> trace{64};
  EventQueue<Event> marks{64};
  EventQueue<WindowFigures> windows;
  std::unique_ptr<PlaybackRecorder> recorder;
};

FragmentSample sample_at(Nanoseconds since_start) {
  return {.ring_read = milliseconds{1},
          .pcm_write = milliseconds{7},
          .outside = milliseconds{3},
          .ended = kStart + since_start};
}

TEST(PlaybackRecorder, SectionsCountOverTheBoundAndTheFirstFragmentHasNoStretchOutside) {
  Bench bench;
  auto sample = sample_at(milliseconds{10});
  sample.outside.reset();
  sample.pcm_write = milliseconds{10};  // as long as the bound: not over it
  bench.recorder->fragment(sample);
  sample = sample_at(milliseconds{20});
  sample.pcm_write = milliseconds{10} + Nanoseconds{1};
  bench.recorder->fragment(sample);
  const auto figures = bench.recorder->snapshot();
  EXPECT_EQ(figures.fragments, 2);
  EXPECT_EQ(figures.ring_read.histogram.count, 2);
  EXPECT_EQ(figures.pcm_write.over, 1);
  EXPECT_EQ(figures.outside.histogram.count, 1);
  EXPECT_EQ(bench.recorder->live().pcm_write_max_ns, 10'000'001);
}

TEST(PlaybackRecorder, SlackAndLatenessFollowTheFramesInTheCardAndAreAbsentBeforeTheFirstFill) {
  Bench bench;
  bench.recorder->fragment(sample_at(milliseconds{0}));
  EXPECT_FALSE(bench.recorder->live().slack_low_water.has_value());
  auto sample = sample_at(milliseconds{10});
  sample.queued = 30;
  bench.recorder->fragment(sample);
  sample.queued = 12;
  bench.recorder->fragment(sample);
  const auto figures = bench.recorder->snapshot();
  EXPECT_EQ(figures.slack_low_water, 2);
  EXPECT_EQ(figures.slack.count, 2);
  EXPECT_EQ(figures.slack.max_ns, 20'000'000);
  EXPECT_EQ(figures.lateness.histogram.max_ns, 18'000'000);
  EXPECT_EQ(figures.lateness.over, 0);
}

TEST(PlaybackRecorder, AnXrunGivesItsGapAsLatenessZeroSlackAMarkAndLostTime) {
  Bench bench;
  const std::array<XrunSample, 2> xruns{XrunSample{kStart + milliseconds{40}, milliseconds{35}},
                                        XrunSample{kStart + milliseconds{90}, std::nullopt}};
  auto sample = sample_at(milliseconds{100});
  sample.xruns = xruns;
  sample.queued = 30;  // says nothing about a card that has just been started anew
  bench.recorder->fragment(sample);
  const auto figures = bench.recorder->snapshot();
  EXPECT_EQ(figures.xruns, 2);
  EXPECT_EQ(figures.lost_ns, 35'000'000);
  EXPECT_EQ(figures.slack_low_water, 0);
  // 55, 45, 35, 25 ms for the gap of 35 ms; 1 ns over the bound of 20 ms for the unknown one.
  EXPECT_EQ(figures.lateness.histogram.count, 5);
  EXPECT_EQ(figures.lateness.histogram.sum_ns, 180'000'001);
  EXPECT_EQ(figures.lateness.over, 5);
  const auto marks = Bench::drain(bench.marks.consumer);
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].kind, EventKind::xrun);
  EXPECT_EQ(marks[0].at_ns, (kStart + milliseconds{40}).count());
  EXPECT_EQ(marks[0].xrun.dry_ns, 35'000'000);
  EXPECT_EQ(marks[1].xrun.dry_ns, -1);
}

TEST(PlaybackRecorder, ALateFragmentIsAMarkAndOneInTimeIsNot) {
  Bench bench;  // a fragment lasts 10 ms
  auto sample = sample_at(milliseconds{10});
  sample.ring_read = sample.outside.emplace(milliseconds{10});
  sample.pcm_write = milliseconds{20};
  bench.recorder->fragment(sample);
  EXPECT_TRUE(Bench::drain(bench.marks.consumer).empty());
  const auto marks_after = [&bench](FragmentSample late) {
    bench.recorder->fragment(late);
    return Bench::drain(bench.marks.consumer);
  };
  auto late = sample;
  late.outside = milliseconds{11};
  ASSERT_EQ(marks_after(late).size(), 1u);
  late = sample;
  late.pcm_write = milliseconds{21};
  EXPECT_EQ(marks_after(late).size(), 1u);
  late = sample;
  late.xruns_met = 1;
  const auto marks = marks_after(late);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].kind, EventKind::fragment);
  EXPECT_EQ(marks[0].at_ns, sample.ended.count());
  EXPECT_EQ(marks[0].fragment.t2_ns, 20'000'000);
}

TEST(PlaybackRecorder, StarvationIsCountedApartAndTakesTheRingsLowWaterToZero) {
  Bench bench;
  auto sample = sample_at(milliseconds{10});
  sample.fill = 25;
  bench.recorder->fragment(sample);
  EXPECT_EQ(bench.recorder->live().ring_low_water, 15);
  EXPECT_EQ(bench.recorder->live().fill, 25);
  sample.fill = 4;
  sample.starved = StarvedRead{kStart + milliseconds{5}, milliseconds{6}, 3, StarveAnswer::waited};
  bench.recorder->fragment(sample);
  sample.fill.reset();
  sample.starved.reset();
  bench.recorder->fragment(sample);
  const auto figures = bench.recorder->snapshot();
  EXPECT_EQ(figures.ring_low_water, 0);
  EXPECT_EQ(figures.fill.count, 2);
  EXPECT_EQ(figures.starved_reads, 1);
  EXPECT_EQ(figures.starved_ns, 6'000'000);
  EXPECT_EQ(figures.silent_fragments, 0);
  EXPECT_EQ(figures.xruns, 0);
  const auto marks = Bench::drain(bench.marks.consumer);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].kind, EventKind::starvation);
  EXPECT_EQ(marks[0].starvation.track, 3u);
  EXPECT_EQ(marks[0].starvation.duration_ns, 6'000'000);
}

TEST(PlaybackRecorder, WakeLatenessGivesThePlannedInstantOfTheTraceEvent) {
  Bench bench;
  auto sample = sample_at(milliseconds{50});
  sample.index = 9;
  sample.wake = Wake{kStart + milliseconds{49}, 4};
  sample.queued = 28;
  bench.recorder->fragment(sample);
  EXPECT_EQ(bench.recorder->snapshot().wake_lateness.histogram.max_ns, 4'000'000);
  const auto events = Bench::drain(bench.trace.consumer);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::fragment);
  EXPECT_EQ(events[0].at_ns, sample.ended.count());
  EXPECT_EQ(events[0].fragment.index, 9);
  EXPECT_EQ(events[0].fragment.planned_ns, (kStart + milliseconds{45}).count());
  EXPECT_EQ(events[0].fragment.fill_frames, -1);
  EXPECT_EQ(events[0].fragment.slack_frames, 18);
}

TEST(PlaybackRecorder, WindowsAreTenSecondsAndTheOpenOneIsHandedOutAtTheEnd) {
  Bench bench;
  auto sample = sample_at(seconds{1});
  sample.queued = 15;
  bench.recorder->fragment(sample);
  bench.recorder->fragment(sample_at(seconds{10}));
  sample = sample_at(seconds{37});  // nothing ended between 20 s and 30 s: that window is not reported
  sample.pcm_write = seconds{9};
  bench.recorder->fragment(sample);
  const auto windows = Bench::drain(bench.windows.consumer);
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].start_ns, 0);
  EXPECT_EQ(windows[0].length_ns, 10'000'000'000);
  EXPECT_EQ(windows[0].fragments, 1);
  EXPECT_EQ(windows[0].slack_low_water, 5);
  EXPECT_EQ(windows[0].ring_low_water, WindowFigures::kNoLowWater);
  EXPECT_EQ(windows[1].start_ns, 10'000'000'000);
  EXPECT_EQ(windows[1].slack_low_water, WindowFigures::kNoLowWater);
  const auto open = bench.recorder->open_window(kStart + seconds{38});
  ASSERT_TRUE(open.has_value());
  EXPECT_EQ(open->start_ns, 30'000'000'000);
  EXPECT_EQ(open->length_ns, 8'000'000'000);
  EXPECT_EQ(open->pcm_write_max_ns, 9'000'000'000);
}

TEST(PlaybackRecorder, AWindowThatFindsNoRoomIsMergedNotLost) {
  Bench bench(1);
  for (const auto at : {seconds{5}, seconds{15}, seconds{25}}) bench.recorder->fragment(sample_at(at));
  auto windows = Bench::drain(bench.windows.consumer);
  ASSERT_EQ(windows.size(), 1u);
  bench.recorder->fragment(sample_at(seconds{35}));
  windows = Bench::drain(bench.windows.consumer);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].start_ns, 10'000'000'000);
  EXPECT_EQ(windows[0].length_ns, 20'000'000'000);
  EXPECT_EQ(windows[0].fragments, 2);
}

TEST(PlaybackRecorder, FiguresReadByAnotherThreadMeanwhileOnlyGrowAndEndExact) {
  Bench bench;
  constexpr int kFragments = 20'000;
  std::atomic<bool> done{false};
  std::thread playback([&] {
    for (int index = 0; index < kFragments; ++index) {
      auto sample = sample_at(milliseconds{10} * index);
      sample.fill = 50;
      sample.queued = 25;
      bench.recorder->fragment(sample);
    }
    done.store(true, std::memory_order_release);
  });
  std::int64_t seen = 0;
  while (!done.load(std::memory_order_acquire)) {
    const auto live = bench.recorder->live();
    EXPECT_GE(live.fragments, seen);
    seen = live.fragments;
    Bench::drain(bench.windows.consumer);
  }
  playback.join();
  const auto figures = bench.recorder->snapshot();
  EXPECT_EQ(figures.fragments, kFragments);
  EXPECT_EQ(figures.lateness.histogram.count, kFragments);
  EXPECT_EQ(figures.events_dropped, kFragments - 64);
}

}  // namespace
}  // namespace xrunlab
