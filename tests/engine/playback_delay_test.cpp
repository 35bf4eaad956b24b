// A playback thread that --fault makes late, in virtual time.
#include <gtest/gtest.h>

#include "tests/engine/loop_bench.hpp"

namespace xrunlab::test::playback_delay_tests {
namespace {

using namespace std::chrono_literals;

/// Twenty fragments of a millisecond on a card that holds eight, with one delay at 10 ms.
struct DelayedRun {
  explicit DelayedRun(Nanoseconds length)
      : delays({{10ms, length, &count}}, SpentBy::sleeping, clock, stop),
        source({.fragment = kLoopFragment, .frames = 20 * kLoopFragment}, clock, {}),
        pcm(open_card("sim", clock, 8 * kLoopFragment)),
        bench(clock, source, *pcm, stop) {
    bench.delays = &delays;
    result = bench.run();
  }

  FakeClock clock;
  std::atomic<bool> stop{false};
  FaultCount count;
  PlannedDelays delays;
  ScriptedSource source;
  std::unique_ptr<Pcm> pcm;
  LoopBench bench;
  PlaybackResult result;
};

TEST(PlaybackDelay, ShowsInT3WithItsLengthAndNowhereElse) {
  DelayedRun run(5ms);
  const auto figures = run.bench.figures();
  EXPECT_EQ(figures.outside.histogram.max_ns, 5'000'000);
  EXPECT_EQ(figures.outside.over, 1);
  EXPECT_EQ(figures.ring_read.histogram.max_ns, 0);
  EXPECT_LE(figures.pcm_write.histogram.max_ns, 1'000'000);
  EXPECT_EQ(figures.xruns, 0);
  EXPECT_EQ(run.result.frames_played, 20 * kLoopFragment);
  EXPECT_EQ(run.count.count(), 1);
  EXPECT_EQ(*run.count.first() - run.result.first_start, 10ms);
}

TEST(PlaybackDelay, BeyondTheCardsBufferItIsAnXrun) {
  DelayedRun run(30ms);
  EXPECT_EQ(run.bench.figures().outside.histogram.max_ns, 30'000'000);
  EXPECT_EQ(run.bench.figures().xruns, 1);
  EXPECT_EQ(run.result.frames_played, 20 * kLoopFragment);
}

}  // namespace
}  // namespace xrunlab::test::playback_delay_tests
