#include "xrunlab/audio/sim_card.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

TEST(SimCard, StandsAtZeroUntilStartedAndAfterStopping) {
  SimCard card({SampleRate{48000}, 0}, {});
  EXPECT_EQ(card.position(5s), 0);
  card.start(5s);
  EXPECT_EQ(card.position(5s), 0);
  EXPECT_EQ(card.position(6s), 48000);
  card.stop();
  EXPECT_EQ(card.position(7s), 0);
}

TEST(SimCard, EveryFrameIsReachedToTheNanosecond) {
  for (const std::uint32_t hz : {1U, 8000U, 44100U, 48000U, 96001U, 10'000'000U}) {
    for (const int ppm : {-500'000, -50, 0, 50, 333'333}) {
      SimCard card({SampleRate{hz}, ppm}, {{3ms, 70ms}, {2s, 1ns}});
      card.start(1000s);
      for (const Frames frames : {1, 2, 3, 7, 100, 1023, 44100, 1'000'003}) {
        const auto instant = card.reached(frames);
        ASSERT_GE(card.position(instant), frames) << hz << " Hz " << ppm << " ppm";
        ASSERT_LT(card.position(instant - 1ns), frames) << hz << " Hz " << ppm << " ppm";
      }
    }
  }
}

TEST(SimCard, DriftAddsUpWithoutRoundingOverDays) {
  SimCard card({SampleRate{44100}, 50}, {});
  card.start(0s);
  EXPECT_EQ(card.position(std::chrono::hours(240)), 44100LL * 864000 + 44100LL * 864000 * 50 / 1'000'000);
}

TEST(SimCard, StandsStillForTheStall) {
  SimCard card({SampleRate{1000}, 0}, {{3s, 70ms}});
  card.start(10s);
  EXPECT_EQ(card.position(13s), 3000);
  EXPECT_EQ(card.position(13s + 69ms), 3000);
  EXPECT_EQ(card.position(13s + 80ms), 3010);
  EXPECT_EQ(card.reached(3000), 13s);
  EXPECT_EQ(card.reached(3001), 13s + 71ms);
  EXPECT_EQ(card.past_stall(13s - 1ns), 13s - 1ns);
  EXPECT_EQ(card.past_stall(13s), 13s + 70ms);
  EXPECT_EQ(card.past_stall(13s + 70ms), 13s + 70ms);
}

TEST(SimCard, StallsCountFromTheFirstStart) {
  SimCard card({SampleRate{1000}, 0}, {{3s, 1s}});
  card.start(10s);
  card.stop();
  card.start(13s + 500ms);
  EXPECT_EQ(card.position(14s), 0);
  EXPECT_EQ(card.reached(1), 14s + 1ms);
}

TEST(SimCard, OverlappingStallsAreOne) {
  SimCard card({SampleRate{1000}, 0}, {{2s, 1s}, {1s, 1500ms}, {1s, 10ms}});
  card.start(0s);
  EXPECT_EQ(card.position(3s), 1000);
  EXPECT_EQ(card.past_stall(1s), 3s);
  EXPECT_EQ(card.reached(1001), 3s + 1ms);
}

}  // namespace
}  // namespace xrunlab
