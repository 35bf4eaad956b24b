#include "xrunlab/core/clock.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

TEST(Clock, FakeClockMovesOnlyWhenTold) {
  FakeClock clock(5s);
  EXPECT_EQ(clock.now(), 5s);
  clock.advance(3ms);
  EXPECT_EQ(clock.now(), 5s + 3ms);
  clock.sleep_until(4s);
  EXPECT_EQ(clock.now(), 5s + 3ms);
  clock.sleep_until(6s);
  EXPECT_EQ(clock.now(), 6s);
}

TEST(Clock, SystemClockNeverSleepsTooShort) {
  SystemClock clock;
  const auto until = clock.now() + 2ms;
  clock.sleep_until(until);
  EXPECT_GE(clock.now(), until);
}

TEST(Units, LengthsAreFlooredAndFrameCountsCeiled) {
  EXPECT_EQ(frames_to_duration(1024, SampleRate{44100}).count(), 23219954);
  EXPECT_EQ(duration_to_frames_ceil(Nanoseconds{23219954}, SampleRate{44100}), 1024);
  EXPECT_EQ(duration_to_frames_ceil(Nanoseconds{-1}, SampleRate{44100}), 0);
}

}  // namespace
}  // namespace xrunlab
