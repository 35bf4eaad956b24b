// From what the threads tell to the cause of an episode, in virtual time: the real reader on a scripted disk,
// the real loop on a scripted card.
#include "xrunlab/engine/cause_watch.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/disk/reader_bench.hpp"
#include "xrunlab/audio/scripted_pcm.hpp"
#include "xrunlab/engine/playback_loop.hpp"
#include "xrunlab/engine/scripted_source.hpp"

namespace xrunlab::test::cause_watch_tests {
namespace {

using namespace std::chrono_literals;

/// A machine whose counters are moved by hand.
class Machine {
 public:
  explicit Machine(FakeClock& clock) : clock_(clock) {
    for (auto& thread : now.threads) thread = {0, 0, 0, 0};
    now.steal_ns = {0};
    now.suspended_ns = 0;
  }

  CauseWatchConfig config(const CardGeometry& card, std::vector<TrackInfo> tracks) {
    return {.card = card,
            .read_ahead = ReadAhead::ring,
            .tracks = std::move(tracks),
            .queue_depth = 0,
            .sample =
                [this] {
                  now.at_ns = clock_.now().count();
                  return now;
                },
            .runnable = {},
            .sched_trace_missing = "--blame was not given"};
  }
  ThreadSample& thread(SampledThread which) { return now.threads[static_cast<std::size_t>(which)]; }

  SystemSample now;

 private:
  FakeClock& clock_;
};

Event starvation(Nanoseconds at, Nanoseconds duration, std::uint32_t track = 0) {
  Event event{};
  event.kind = EventKind::starvation;
  event.at_ns = at.count();
  event.starvation = {duration.count(), track};
  return event;
}

/// The reader at 4096 Hz and a byte a frame, and a watch that hears what it tells.
class ReaderWatch {
 public:
  explicit ReaderWatch(ScriptedDisk disk, Bytes size = 100 * kBlock)
      : bench({.sizes = {size}, .disk = std::move(disk), .events = std::move(queue_.producer)}),
        machine(bench.clock),
        watch(machine.config({kRate, kFragment, 2 * kFragment}, {{"a.wav", "", "vda", {}}})) {
    bench.prime();
    hear();
  }

  void hear() {
    Event event;
    while (queue_.consumer.pop(&event, 1) == 1) watch.take(event);
    watch.look();
  }
  /// Plays until the ring lacks a fragment, the reader taking its turns; returns when that began.
  Nanoseconds play_until_starved(Nanoseconds reader_stands_still = {}) {
    auto due = bench.clock.now();
    const auto held_until = due + reader_stands_still;
    while (bench.fill(0) >= kFragment) {
      due += frames_to_duration(kFragment, kRate);
      while (due > held_until && bench.clock.now() < due) bench.reader->step();
      bench.clock.sleep_until(due);
      bench.play(kFragment);
      hear();
    }
    return bench.clock.now();
  }
  void run_reader_until_fed() {
    while (bench.fill(0) < kFragment && bench.reader->step()) {
    }
  }

 private:
  EventQueue<Event> queue_{4096};

 public:
  ReaderBench bench;
  Machine machine;
  CauseWatch watch;
};

TEST(CauseWatch, AStalledReadIsTheDisks) {
  ReaderWatch run({.script = {{.read = 10, .latency = 12s}}});
  const auto starved = run.play_until_starved();
  run.run_reader_until_fed();
  run.watch.take(starvation(starved, run.bench.clock.now() - starved));
  run.hear();
  run.watch.finish();
  ASSERT_EQ(run.watch.episodes().size(), 1u);
  const auto& episode = run.watch.episodes().front();
  EXPECT_EQ(episode.cause, "disk");
  EXPECT_GT(episode.confidence, 0.9);
  EXPECT_EQ(episode.evidence.read.offset_bytes, 10 * kBlock);
  EXPECT_EQ(episode.evidence.read.age_ns, Nanoseconds{12s}.count());
}

TEST(CauseWatch, AReaderThatIsNotRunIsToBlameItself) {
  ReaderWatch run({});
  const auto starved = run.play_until_starved(30s);
  run.bench.clock.advance(500ms);
  run.run_reader_until_fed();
  run.watch.take(starvation(starved, run.bench.clock.now() - starved));
  run.hear();
  run.watch.finish();
  ASSERT_EQ(run.watch.episodes().size(), 1u);
  EXPECT_EQ(run.watch.episodes().front().cause, "reader");
  EXPECT_GE(run.watch.episodes().front().evidence.reader_late_ns.value(), Nanoseconds{500ms}.count());
}

TEST(CauseWatch, AReadThatNeverCameIsToldOfWhenTheRunEnds) {
  ReaderWatch run({.script = {{.read = 10, .latency = 3600s}}});
  const auto starved = run.play_until_starved();
  run.bench.clock.advance(2s);
  const std::atomic<bool> stop{true};
  run.watch.take(starvation(starved, 2s));
  run.bench.reader->run(stop);
  run.hear();
  run.watch.finish();
  ASSERT_EQ(run.watch.episodes().size(), 1u);
  EXPECT_EQ(run.watch.episodes().front().cause, "disk");
}

TEST(CauseWatch, AReadErrorThatTookItsTimeIsTheInputs) {
  ReaderWatch run({.script = {{.read = 10, .latency = 12s, .error_number = EIO}}});
  const auto starved = run.play_until_starved();
  while (!run.bench.reader->input_failure()) run.bench.reader->step();
  run.watch.take(starvation(starved, run.bench.clock.now() - starved));
  run.hear();
  run.watch.finish();
  run.watch.end_early(run.bench.clock.now().count(), InputFault{0, 10 * kBlock, EIO, {}});
  ASSERT_EQ(run.watch.episodes().size(), 2u);
  EXPECT_EQ(run.watch.episodes()[0].cause, "input");
  EXPECT_EQ(run.watch.episodes()[1].kind, "end");
  EXPECT_EQ(run.watch.episodes()[1].cause, "input");
  EXPECT_EQ(run.watch.episodes()[1].evidence.detail,
            "a.wav: could not be read at byte 40960: Input/output error");
}

constexpr Frames kLoopFragment = 1000;  // a millisecond

/// The real loop with a scripted card; the watch looks after each run.
class LoopWatch {
 public:
  LoopWatch(std::vector<ScriptedTake> takes, std::vector<ScriptedFault> faults, Frames buffer)
      : source_({.fragment = kLoopFragment, .frames = 100 * kLoopFragment}, clock, std::move(takes)),
        pcm_(grant_of(buffer), clock, std::move(faults)),
        machine(clock),
        watch(machine.config({SampleRate{1'000'000}, kLoopFragment, buffer}, {})) {
    watch.look();
  }

  void play() {
    EventQueue<Event> marks(1000);
    EventQueue<WindowFigures> windows(100);
    PlaybackProgress progress;
    const auto recorder = std::make_unique<PlaybackRecorder>(
        RecorderConfig{.bound = 1ms,
                       .card = {pcm_.grant().rate, kLoopFragment, pcm_.grant().buffer},
                       .marks = std::move(marks.producer),
                       .windows = std::move(windows.producer)});
    FragmentMixer mixer({.map = ChannelMap::direct,
                         .card_format = SampleFormat::s32_le,
                         .card_channels = 1,
                         .fragment = kLoopFragment});
    PcmWriter writer(pcm_, clock, stop_);
    PlaybackLoop({}, {source_, mixer, pcm_, writer, *recorder, progress, clock, stop_}).run();
    Event event;
    while (marks.consumer.pop(&event, 1) == 1) watch.take(event);
    watch.finish();
  }

 private:
  static PcmGrant grant_of(Frames buffer) {
    PcmGrant grant;
    grant.rate = SampleRate{1'000'000};
    grant.channels = 1;
    grant.period = grant.fragment = kLoopFragment;
    grant.buffer = buffer;
    return grant;
  }
  std::atomic<bool> stop_{false};

 public:
  FakeClock clock;

 private:
  ScriptedSource source_;
  ScriptedPcm pcm_;

 public:
  Machine machine;
  CauseWatch watch;
};

TEST(CauseWatch, AThreadThatWasNotRunIsTheSchedulersAndARunWithoutFaultHasNoEpisode) {
  LoopWatch quiet({}, {}, 4 * kLoopFragment);
  quiet.play();
  EXPECT_TRUE(quiet.watch.episodes().empty());

  LoopWatch run({{.take = 50, .late = 30ms}}, {}, 4 * kLoopFragment);
  run.machine.thread(SampledThread::playback).run_delay_ns = 30'000'000;
  run.play();
  ASSERT_FALSE(run.watch.episodes().empty());
  const auto& episode = run.watch.episodes().front();
  EXPECT_EQ(episode.kind, "xrun");
  EXPECT_EQ(episode.cause, "scheduler");
  EXPECT_GE(episode.evidence.window_ns, 30'000'000);
}

/// Without the samples, of which one comes with each look.
std::vector<Event> episodes_in(std::span<const Event> found) {
  std::vector<Event> episodes;
  for (const auto& event : found) {
    if (event.kind != EventKind::sample) episodes.push_back(event);
  }
  EXPECT_EQ(episodes.size() + 1, found.size());
  return episodes;
}

TEST(CauseWatch, WhatFollowsLaterIsAnEpisodeOfItsOwn) {
  FakeClock clock;
  Machine machine(clock);
  CauseWatch watch(machine.config({{1000}, 20, 40}, {{"a.wav", "", "", {}}}));
  watch.look();
  watch.take(starvation(clock.now(), 30ms));
  clock.advance(1s);
  EXPECT_TRUE(episodes_in(watch.look()).empty()) << "another may still join it";
  clock.advance(1s);
  const auto found = episodes_in(watch.look());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, EventKind::episode);
  EXPECT_EQ(found[0].episode.duration_ns, 30'000'000);
  EXPECT_EQ(found[0].episode.cause, static_cast<std::uint8_t>(Cause::unknown));
  EXPECT_TRUE(episodes_in(watch.look()).empty());
  watch.take(starvation(clock.now(), 30ms));
  EXPECT_EQ(episodes_in(watch.finish()).size(), 1u);
  EXPECT_EQ(watch.episodes().size(), 2u);
}

TEST(CauseWatch, TroubleWithoutEndTakesBoundedMemory) {
  FakeClock clock;
  Machine machine(clock);
  CauseWatch watch(machine.config({{1000}, 20, 40}, {{"a.wav", "", "", {}}}));
  for (int round = 0; round < 2000; ++round) {
    for (int mark = 0; mark < 10; ++mark) {
      clock.advance(1100ms);
      watch.take(starvation(clock.now(), 10ms));
    }
    watch.look();
  }
  watch.finish();
  EXPECT_EQ(watch.episodes().size(), CauseWatch::kMostEpisodes);
  EXPECT_EQ(watch.unlisted(), 20'000 - static_cast<std::int64_t>(CauseWatch::kMostEpisodes));
}

}  // namespace
}  // namespace xrunlab::test::cause_watch_tests
