#include "xrunlab/timing/card_clock.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using std::chrono::milliseconds;

// At 1000 Hz a frame is a millisecond: F/r = 10 ms, (B − F)/r = 20 ms.
constexpr CardGeometry kClockedCard{.rate = {1000}, .fragment = 10, .buffer = 30};

TEST(CardClock, SlackIsWhatIsLeftBeyondTheFragmentJustWritten) {
  EXPECT_EQ(slack_frames(kClockedCard, 30), 20);
  EXPECT_EQ(slack_frames(kClockedCard, 12), 2);
  EXPECT_EQ(slack_frames(kClockedCard, 10), 0);
  EXPECT_EQ(slack_frames(kClockedCard, 3), 0) << "a card that drained during the write itself had no slack";
  EXPECT_EQ(slack_frames(kClockedCard, 40), 20) << "never more than B - F";
}

TEST(CardClock, LatenessIsWhatTheCardHadDrained) {
  EXPECT_EQ(lateness_bound(kClockedCard), milliseconds{20});
  EXPECT_EQ(lateness(kClockedCard, 30), milliseconds{0});
  EXPECT_EQ(lateness(kClockedCard, 12), milliseconds{18});
  EXPECT_EQ(lateness(kClockedCard, 35), milliseconds{0});
  EXPECT_EQ(lateness({.rate = {44100}, .fragment = 1024, .buffer = 2048}, 1024), Nanoseconds{23'219'954});
}

TEST(CardClock, AGapCountsEveryFragmentThatWasDueInIt) {
  const GapLateness late(kClockedCard, milliseconds{35});
  ASSERT_EQ(late.count(), 4);  // 1 + floor(35 / 10)
  EXPECT_EQ(late.sample(0), milliseconds{55});
  EXPECT_EQ(late.sample(1), milliseconds{45});
  EXPECT_EQ(late.sample(2), milliseconds{35});
  EXPECT_EQ(late.sample(3), milliseconds{25});
}

TEST(CardClock, AGapOfWholeFragmentsEndsAtTheBoundAndAnUnknownGapIsOneSample) {
  const GapLateness whole(kClockedCard, milliseconds{20});
  ASSERT_EQ(whole.count(), 3);
  EXPECT_EQ(whole.sample(2), milliseconds{20});
  const GapLateness unknown(kClockedCard, milliseconds{0});
  ASSERT_EQ(unknown.count(), 1);
  EXPECT_EQ(unknown.sample(0), milliseconds{20});
}

TEST(CardClock, AVeryLongGapKeepsItsLargestSamples) {
  const GapLateness late(kClockedCard, std::chrono::hours{24});
  EXPECT_EQ(late.count(), GapLateness::kMostSamples);
  EXPECT_EQ(late.sample(0), std::chrono::hours{24} + milliseconds{20});
}

}  // namespace
}  // namespace xrunlab
