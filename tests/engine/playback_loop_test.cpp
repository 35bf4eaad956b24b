#include "xrunlab/engine/playback_loop.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/engine/loop_bench.hpp"

namespace xrunlab::test::playback_loop_tests {
namespace {

using namespace std::chrono_literals;

void expect_counts(const RecorderFigures& figures, std::int64_t fragments) {
  EXPECT_EQ(figures.fragments, fragments);
  EXPECT_EQ(figures.ring_read.histogram.count, fragments);
  EXPECT_EQ(figures.pcm_write.histogram.count, fragments);
  EXPECT_EQ(figures.outside.histogram.count, fragments - 1);
}

TEST(PlaybackLoop, EndOfDataPlaysTheLastFrameAndNoMore) {
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 10'500}});
  EXPECT_EQ(run.result.end, PlaybackEnd::data);
  EXPECT_EQ(run.result.frames_played, 10'500);
  EXPECT_EQ(run.accepted(), counting(10'500));
  EXPECT_EQ(run.took(), 10'500us);
  EXPECT_EQ(run.result.first_track_end, run.result.last_write_end);
  EXPECT_EQ(run.bench.progress.taken.load(), 10'500);
  EXPECT_EQ(run.bench.progress.started_ns.load(), run.start.count());
  expect_counts(run.bench.figures(), 11);
}

TEST(PlaybackLoop, NothingToPlayEndsWithoutAStart) {
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 0}});
  EXPECT_EQ(run.result.end, PlaybackEnd::data);
  EXPECT_EQ(run.result.first_start.count(), 0);
  EXPECT_EQ(run.took(), 0ns);
  EXPECT_EQ(run.bench.figures().fragments, 0);
}

TEST(PlaybackLoop, AHundredFramesTakeTheirLengthOnTheSimulatedCard) {
  FakeClock clock;
  std::atomic<bool> stop{false};
  const auto start = clock.now();
  ScriptedSource source({.fragment = kLoopFragment, .frames = 100}, clock, {});
  const auto pcm = open_card("sim", clock, 2 * kLoopFragment);
  LoopBench bench(clock, source, *pcm, stop);
  const auto result = bench.run();
  EXPECT_EQ(result.end, PlaybackEnd::data);
  EXPECT_EQ(result.frames_played, 100);
  EXPECT_EQ(result.first_start, start);
  EXPECT_EQ(clock.now() - start, 100us);
}

TEST(PlaybackLoop, FragmentsBeyondTheBufferTakeTheirLengthOnTheSimulatedCard) {
  for (const Frames buffer : {2 * kLoopFragment, 4 * kLoopFragment}) {
    FakeClock clock;
    std::atomic<bool> stop{false};
    const auto start = clock.now();
    ScriptedSource source({.fragment = kLoopFragment, .frames = 50 * kLoopFragment}, clock, {});
    const auto pcm = open_card("sim", clock, buffer);
    LoopBench bench(clock, source, *pcm, stop);
    const auto result = bench.run();
    EXPECT_EQ(result.last_write_end - result.first_start, (50 - buffer / kLoopFragment) * 1ms);
    EXPECT_EQ(clock.now() - start, 50ms);
    EXPECT_EQ(bench.figures().xruns, 0);
  }
}

TEST(PlaybackLoop, TheDurationCutsAFragment) {
  ScriptedRun run({.config = {.duration = 2500}});
  EXPECT_EQ(run.result.end, PlaybackEnd::duration);
  EXPECT_EQ(run.accepted(), counting(2500));
  EXPECT_EQ(run.source.takes(), 3);
  EXPECT_EQ(run.took(), 2500us);
  EXPECT_EQ(run.result.first_track_end.count(), 0);
}

TEST(PlaybackLoop, TheDurationMayEndWithAFragment) {
  ScriptedRun run({.config = {.duration = 3000}});
  EXPECT_EQ(run.result.end, PlaybackEnd::duration);
  EXPECT_EQ(run.source.takes(), 3);
  EXPECT_EQ(run.result.frames_played, 3000);
}

TEST(PlaybackLoop, AStopEndsTheWaitForTheCardAndDropsWhatIsInIt) {
  ScriptedRun run({.takes = {{.take = 5, .stops = true}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::stopped);
  EXPECT_EQ(run.result.frames_played, 5000);
  EXPECT_EQ(run.took(), 3ms);
  EXPECT_EQ(run.pcm.state(), PcmState::other);
  expect_counts(run.bench.figures(), 6);
}

TEST(PlaybackLoop, AStarvedReadThatIsStoppedCountsAsStarvation) {
  const StarvedRead hang{.at = 1s, .duration = 7s, .track = 2};
  ScriptedRun run({.takes = {{.take = 3, .status = TakeStatus::stopped, .late = 7s, .starved = hang}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::stopped);
  const auto figures = run.bench.figures();
  expect_counts(figures, 3);
  EXPECT_EQ(figures.starved_reads, 1);
  EXPECT_EQ(figures.starved_ns, 7'000'000'000);
  EXPECT_EQ(figures.ring_low_water, 0);
}

TEST(PlaybackLoop, AStarvedWaitLastsInT1AndT3) {
  const StarvedRead wait{.duration = 5ms};
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 20'000, .fill = 7000},
                   .takes = {{.take = 10, .late = 5ms, .starved = wait}},
                   .buffer = 8 * kLoopFragment});
  const auto figures = run.bench.figures();
  EXPECT_EQ(run.accepted(), counting(20'000));
  EXPECT_EQ(figures.starved_reads, 1);
  EXPECT_EQ(figures.starved_ns, 5'000'000);
  EXPECT_EQ(figures.silent_fragments, 0);
  EXPECT_EQ(figures.xruns, 0);
  EXPECT_EQ(figures.ring_low_water, 0);
  EXPECT_EQ(figures.slack_low_water, 8000 - 5000);
  EXPECT_EQ(figures.ring_read.over, 1);
  EXPECT_EQ(figures.outside.over, 1);
  EXPECT_EQ(figures.ring_read.histogram.max_ns, 5'000'000);
  EXPECT_EQ(figures.outside.histogram.max_ns, 5'000'000);
  EXPECT_EQ(run.result.ring_read_max_after_first_write, 5ms);
}

TEST(PlaybackLoop, ASilenceDelaysTheMaterialAndSkipsNone) {
  const StarvedRead silence{.duration = 1ms, .answer = StarveAnswer::silenced};
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 5000},
                   .takes = {{.take = 3, .status = TakeStatus::starved, .starved = silence}}});
  auto expected = counting(5000);
  expected.insert(expected.begin() + 3000, 1000, 0);
  EXPECT_EQ(run.accepted(), expected);
  EXPECT_EQ(run.result.frames_played, 6000);
  EXPECT_EQ(run.bench.progress.taken.load(), 5000);
  EXPECT_EQ(run.bench.figures().silent_fragments, 1);
  EXPECT_EQ(run.bench.figures().starved_ns, 1'000'000);
}

TEST(PlaybackLoop, AnInputThatFailsEndsThePlayThere) {
  ScriptedRun run({.takes = {{.take = 4, .status = TakeStatus::failed}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::input);
  EXPECT_EQ(run.accepted(), counting(4000));
  expect_counts(run.bench.figures(), 4);
}

TEST(PlaybackLoop, AnXrunLosesNothingAndItsDryTimeIsRecorded) {
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 20'000},
                   .faults = {{.fragment = 10, .fault = CardFault::xrun, .length = 5ms}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::data);
  EXPECT_EQ(run.accepted(), counting(20'000));
  const auto figures = run.bench.figures();
  EXPECT_EQ(figures.xruns, 1);
  EXPECT_EQ(figures.lost_ns, 5'000'000);
  EXPECT_EQ(figures.slack_low_water, 0);
  EXPECT_EQ(figures.starved_reads, 0);
  EXPECT_EQ(run.took(), 25ms);
  expect_counts(figures, 20);
}

TEST(PlaybackLoop, AnXrunEndsThePlayWhenAsked) {
  ScriptedRun run({.faults = {{.fragment = 10, .fault = CardFault::xrun, .length = 5ms}},
                   .config = {.on_xrun = OnXrun::stop}});
  EXPECT_EQ(run.result.end, PlaybackEnd::xrun);
  EXPECT_EQ(run.bench.figures().xruns, 1);
  EXPECT_EQ(run.bench.figures().lost_ns, 0);
  EXPECT_EQ(run.source.takes(), 11);
}

TEST(PlaybackLoop, AnXrunInTheLastFragmentIsOverWhenDrainingStartsTheCard) {
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 10'500},
                   .faults = {{.fragment = 10, .fault = CardFault::xrun, .length = 5ms}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::data);
  EXPECT_EQ(run.accepted(), counting(10'500));
  EXPECT_EQ(run.bench.figures().xruns, 1);
  EXPECT_EQ(run.bench.figures().lost_ns, 5'000'000);
  EXPECT_EQ(run.took(), 15'500us);
}

TEST(PlaybackLoop, ASuspendIsNoXrunAndLosesNothing) {
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 20'000},
                   .faults = {{.fragment = 5, .fault = CardFault::suspend, .length = 300ms}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::data);
  EXPECT_EQ(run.accepted(), counting(20'000));
  EXPECT_EQ(run.bench.figures().suspends, 1);
  EXPECT_EQ(run.bench.figures().xruns, 0);
}

TEST(PlaybackLoop, AnUnpluggedCardEndsThePlay) {
  ScriptedRun run({.faults = {{.fragment = 5, .fault = CardFault::unplug}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::card);
  EXPECT_EQ(run.result.card_error, -ENODEV);
  EXPECT_EQ(run.result.frames_played, 5000);
}

TEST(PlaybackLoop, ACardThatIsStuckEndsThePlay) {
  ScriptedRun run({.faults = {{.fragment = 5, .fault = CardFault::hang}}});
  EXPECT_EQ(run.result.end, PlaybackEnd::card);
  EXPECT_EQ(run.result.card_error, -ETIMEDOUT);
  EXPECT_LT(run.took(), 11s);
}

TEST(PlaybackLoop, EverySectionLastsAsScripted) {
  std::vector<ScriptedTake> takes;
  for (std::int64_t take = 0; take < 20; ++take) takes.push_back({.take = take, .late = take * 20us});
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 20'000, .fill = 5000}, .takes = takes});
  const auto fragments = run.bench.fragments();
  ASSERT_EQ(fragments.size(), 20u);
  for (std::size_t index = 0; index < fragments.size(); ++index) {
    const auto late = static_cast<std::int64_t>(index) * 20'000;
    EXPECT_EQ(fragments[index].t1_ns, late);
    EXPECT_EQ(fragments[index].fill_frames, 5000);
    EXPECT_EQ(fragments[index].t3_ns, index == 0 ? -1 : late);
    // The first two fill the card.
    EXPECT_EQ(fragments[index].t2_ns, index < 2 ? 0 : 1'000'000 - late);
    EXPECT_EQ(fragments[index].slack_frames, index == 0 ? -1 : 1000);
  }
}

TEST(PlaybackLoop, TheFirstTrackToEndIsRemembered) {
  ScriptedRun run({.material = {.fragment = kLoopFragment, .frames = 20'000},
                   .takes = {{.take = 4, .a_track_ended = true}, {.take = 9, .a_track_ended = true}}});
  EXPECT_EQ(run.result.first_track_end, run.start + 3ms);
  EXPECT_EQ(run.result.frames_played, 20'000);
}

TEST(PlaybackLoop, AnUnpacedCardTakesEverythingAtOnce) {
  FakeClock clock;
  std::atomic<bool> stop{false};
  const auto start = clock.now();
  ScriptedSource source({.fragment = kLoopFragment, .frames = 100'000}, clock, {{.take = 0, .late = 3ms}});
  const auto pcm = open_card("null", clock, 2 * kLoopFragment);
  LoopBench bench(clock, source, *pcm, stop);
  const auto result = bench.run();
  EXPECT_EQ(result.end, PlaybackEnd::data);
  EXPECT_EQ(result.frames_played, 100'000);
  EXPECT_EQ(result.first_start, start + 3ms);
  EXPECT_EQ(result.first_write, result.first_start);
  EXPECT_EQ(clock.now() - start, 3ms);
  const auto figures = bench.figures();
  EXPECT_EQ(figures.lateness.histogram.count, 0);
  EXPECT_FALSE(figures.slack_low_water);
  EXPECT_FALSE(result.card_clock.worst());
}

TEST(PlaybackLoop, TheCardsClockIsCheckedAgainstTime) {
  const struct {
    const char* device;
    bool sound;
  } cards[] = {{"sim", true}, {"sim:ppm=500", true}, {"sim:ppm=2500", false}, {"sim:ppm=-2500", false}};
  for (const auto& card : cards) {
    FakeClock clock;
    std::atomic<bool> stop{false};
    ScriptedSource source({.fragment = kLoopFragment, .frames = 5'000'000}, clock, {});
    const auto pcm = open_card(card.device, clock, 2 * kLoopFragment);
    LoopBench bench(clock, source, *pcm, stop);
    const auto worst = bench.run().card_clock.worst();
    ASSERT_TRUE(worst) << card.device;
    const double expected = to_seconds(worst->length) * kLoopRate.hz;
    const double off = std::abs(static_cast<double>(worst->played) - expected);
    EXPECT_EQ(off <= std::max<double>(kLoopFragment, expected / 1000), card.sound) << card.device;
  }
}

}  // namespace
}  // namespace xrunlab::test::playback_loop_tests
