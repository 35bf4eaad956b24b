#include "xrunlab/engine/cycle_playback.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

#include "tests/engine/loop_bench.hpp"
#include "xrunlab/audio/scripted_server_pcm.hpp"

namespace xrunlab::test {
namespace {

using namespace std::chrono_literals;

PcmGrant server_card() {
  PcmGrant grant = card_of(2 * kLoopFragment);
  grant.format = SampleFormat::f32_le;
  grant.server_driven = true;
  return grant;
}

/// A source and a server on one hand-driven clock: every cycle begins a fragment after the one before.
struct CycleRun {
  explicit CycleRun(ScriptedMaterial material, std::vector<ScriptedTake> takes = {},
                    PlaybackConfig config = {})
      : source(material, clock, std::move(takes), &stop),
        pcm(server_card()),
        mixer({.map = ChannelMap::direct,
               .card_format = SampleFormat::f32_le,
               .card_channels = 1,
               .fragment = kLoopFragment}),
        recorder(std::make_unique<PlaybackRecorder>(
            RecorderConfig{.bound = 1ms,
                           .card = {kLoopRate, kLoopFragment, 2 * kLoopFragment},
                           .drive = CardDrive::by_server,
                           .marks = std::move(marks.producer),
                           .windows = std::move(windows.producer)})),
        playback(config, {source, mixer, pcm, *recorder, progress, clock, stop}) {
    pcm.start_cycles(playback);
  }

  /// The server's next cycle, `late` after its time, after `lost` that it left out.
  void cycle(Nanoseconds late = {}, Frames frames = kLoopFragment) {
    const Nanoseconds began = start + 1ms * number++;
    if (clock.now() < began + late) clock.advance(began + late - clock.now());
    pcm.call(
        {.frames = frames, .began = began, .entered = clock.now(), .xruns = xruns, .xrun_told = clock.now()});
  }
  void cycles(int count) {
    for (int index = 0; index < count; ++index) cycle();
  }
  PlaybackResult end() { return playback.result(PlaybackEnd::stopped, 0); }

  FakeClock clock;
  std::atomic<bool> stop{false};
  ScriptedSource source;
  ScriptedServerPcm pcm;
  FragmentMixer mixer;
  EventQueue<Event> marks{1000};
  EventQueue<WindowFigures> windows{1000};
  std::unique_ptr<PlaybackRecorder> recorder;
  PlaybackProgress progress;
  CyclePlayback playback;
  Nanoseconds start = clock.now();
  std::int64_t number = 0;
  std::int64_t xruns = 0;
};

std::vector<float> numbered(Frames count) {
  std::vector<float> samples;
  for (Frames index = 0; index < count; ++index) samples.push_back(ScriptedSource::sample(index));
  return samples;
}

TEST(CyclePlayback, PlaysEverySampleOnceAndThenSilence) {
  CycleRun run({.fragment = kLoopFragment, .frames = 3500});
  run.cycles(4);
  EXPECT_FALSE(run.playback.ended());
  run.cycles(3);
  EXPECT_TRUE(run.playback.ended()) << "two cycles behind the one that found nothing left";
  auto expected = numbered(3500);
  expected.resize(7000);
  EXPECT_EQ(run.pcm.taken(), expected);
  const auto result = run.end();
  EXPECT_EQ(result.end, PlaybackEnd::data);
  EXPECT_EQ(result.frames_played, 3500);
  EXPECT_EQ(result.first_start, run.start);
  EXPECT_EQ(run.progress.taken.load(), 3500);
}

TEST(CyclePlayback, TimesTheRingReadAndTheCycle) {
  CycleRun run({.fragment = kLoopFragment, .fill = 7000}, {{.take = 1, .late = 300us}});
  run.cycle();
  run.cycle(200us);
  run.cycles(1);
  const auto figures = run.recorder->snapshot();
  EXPECT_EQ(figures.ring_read.histogram.count, 3);
  EXPECT_EQ(figures.ring_read.histogram.max_ns, 300'000);
  EXPECT_EQ(figures.cycle.histogram.count, 3);
  EXPECT_EQ(figures.cycle.histogram.max_ns, 500'000) << "from the server's begin on, not from our call";
  EXPECT_EQ(figures.cycle.over, 0);
  EXPECT_EQ(figures.wake_lateness.histogram.max_ns, 200'000);
  EXPECT_EQ(figures.pcm_write.histogram.count, 0);
  EXPECT_EQ(figures.outside.histogram.count, 0);
  EXPECT_EQ(figures.lateness.histogram.count, 0);
  EXPECT_EQ(figures.ring_low_water, 6000);
  EXPECT_EQ(figures.slack_low_water, std::nullopt);
}

TEST(CyclePlayback, ACycleOverThePeriodIsCounted) {
  CycleRun run({.fragment = kLoopFragment}, {{.take = 1, .late = 1001us}});
  run.cycles(4);
  EXPECT_EQ(run.recorder->snapshot().cycle.over, 1);
}

TEST(CyclePlayback, AStarvedCycleIsSilentAndNothingIsLost) {
  const StarvedRead starved{.duration = 1ms, .track = 0, .answer = StarveAnswer::silenced};
  CycleRun run({.fragment = kLoopFragment, .frames = 2000},
               {{.take = 1, .status = TakeStatus::starved, .starved = starved}});
  run.cycles(3);
  auto expected = numbered(2000);
  expected.insert(expected.begin() + 1000, 1000, 0.0F);
  EXPECT_EQ(run.pcm.taken(), expected);
  const auto figures = run.recorder->snapshot();
  EXPECT_EQ(figures.starved_reads, 1);
  EXPECT_EQ(figures.silent_fragments, 1);
}

TEST(CyclePlayback, XrunsAreTheServers) {
  CycleRun run({.fragment = kLoopFragment});
  run.xruns = 5;  // while we were connected
  run.cycles(2);
  run.xruns = 7;
  run.number += 3;
  run.cycles(2);
  const auto figures = run.recorder->snapshot();
  EXPECT_EQ(figures.xruns, 2);
  EXPECT_EQ(figures.lateness.histogram.count, 0) << "nobody knows where the card was";
  EXPECT_EQ(figures.slack_low_water, std::nullopt);
  EXPECT_EQ(figures.lost_ns, 0);
}

TEST(CyclePlayback, StopsAtAnXrunWhenAskedTo) {
  CycleRun run({.fragment = kLoopFragment}, {}, {.on_xrun = OnXrun::stop});
  run.cycles(2);
  run.xruns = 1;
  run.cycles(3);
  EXPECT_TRUE(run.playback.ended());
  EXPECT_EQ(run.end().end, PlaybackEnd::xrun);
  EXPECT_EQ(run.end().frames_played, 2000);
}

TEST(CyclePlayback, TheDurationCutsAFragment) {
  CycleRun run({.fragment = kLoopFragment}, {}, {.duration = 2500});
  run.cycles(6);
  EXPECT_TRUE(run.playback.ended());
  EXPECT_EQ(run.end().end, PlaybackEnd::duration);
  EXPECT_EQ(run.end().frames_played, 2500);
  auto expected = numbered(2500);
  expected.resize(6000);
  EXPECT_EQ(run.pcm.taken(), expected);
}

TEST(CyclePlayback, AStopAndAFailedInputEndIt) {
  CycleRun stopped({.fragment = kLoopFragment}, {{.take = 2, .stops = true}});
  stopped.cycles(7);
  EXPECT_EQ(stopped.end().end, PlaybackEnd::stopped);
  EXPECT_EQ(stopped.end().frames_played, 3000);
  CycleRun failed({.fragment = kLoopFragment}, {{.take = 2, .status = TakeStatus::failed}});
  failed.cycles(7);
  EXPECT_EQ(failed.end().end, PlaybackEnd::input);
}

TEST(CyclePlayback, AnotherPeriodIsTheEnd) {
  CycleRun run({.fragment = kLoopFragment});
  run.cycles(2);
  run.cycle({}, kLoopFragment / 2);
  EXPECT_EQ(run.end().end, PlaybackEnd::card);
  EXPECT_EQ(run.end().card_error, -EMSGSIZE);
}

TEST(CyclePlayback, AServerThatCallsNoMoreEndsAsItIsTold) {
  CycleRun run({.fragment = kLoopFragment});
  run.cycles(2);
  EXPECT_FALSE(run.playback.ended());
  const auto result = run.playback.result(PlaybackEnd::card, -ENODEV);
  EXPECT_EQ(result.end, PlaybackEnd::card);
  EXPECT_EQ(result.card_error, -ENODEV);
}

TEST(CyclePlayback, TheServersClockIsHeldAgainstOurs) {
  CycleRun run({.fragment = kLoopFragment});
  run.cycles(2500);
  const auto worst = run.end().card_clock.worst();
  ASSERT_TRUE(worst);
  EXPECT_EQ(frames_to_duration(worst->played, kLoopRate), worst->length);
}

TEST(CyclePlayback, WhatTheServerLeavesOutIsNoFaultOfItsClock) {
  CycleRun run({.fragment = kLoopFragment});
  run.cycles(1500);
  run.number += 60;  // without a word
  run.cycles(1500);
  const auto worst = run.end().card_clock.worst();
  ASSERT_TRUE(worst);
  EXPECT_EQ(frames_to_duration(worst->played, kLoopRate), worst->length);
}

}  // namespace
}  // namespace xrunlab::test
