#include "xrunlab/engine/pcm_wakes.hpp"

#include <gtest/gtest.h>

#include "xrunlab/audio/scripted_pcm.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

PcmGrant small_card() {
  PcmGrant grant{
      .format = SampleFormat::s16_le, .rate = {48'000}, .channels = 2, .period = 480, .buffer = 1920};
  grant.fragment = 480;
  return grant;
}

TEST(PcmWakes, ACardThatRunsOnTimeWakesAtEachFragment) {
  FakeClock clock;
  ScriptedPcm pcm(small_card(), clock, {});
  const std::atomic<bool> stop{false};
  PcmWakes wakes(pcm, clock, stop);
  EXPECT_EQ(wakes.interval(), 10ms);
  ASSERT_EQ(wakes.start(0ns), 0);
  const Nanoseconds started = clock.now();
  for (int index = 1; index <= 20; ++index) {
    const WakeUp wake = wakes.wait();
    ASSERT_EQ(wake.status, WakeStatus::woken);
    EXPECT_LT(wake.late, 100us);
    EXPECT_EQ(wake.missed, 0);
    EXPECT_NEAR(static_cast<double>((wake.at - started).count()), index * 10e6, 1e5);
  }
}

TEST(PcmWakes, HowLateIsReadFromTheCardsPosition) {
  FakeClock clock;
  ScriptedPcm pcm(small_card(), clock, {});
  const std::atomic<bool> stop{false};
  PcmWakes wakes(pcm, clock, stop);
  ASSERT_EQ(wakes.start(0ns), 0);
  wakes.wait();
  clock.advance(17ms);  // the next was due after 10
  const WakeUp late = wakes.wait();
  EXPECT_NEAR(static_cast<double>(late.late.count()), 7e6, 1e5);
  EXPECT_EQ(late.missed, 0);
  clock.advance(25ms);  // the next after 3, one more after 13, one after 23
  const WakeUp later = wakes.wait();
  EXPECT_NEAR(static_cast<double>(later.late.count()), 22e6, 1e5);
  EXPECT_EQ(later.missed, 2);
}

TEST(PcmWakes, AnXrunIsAsLateAsTheCardWasDry) {
  FakeClock clock;
  ScriptedPcm pcm(small_card(), clock, {});
  const std::atomic<bool> stop{false};
  PcmWakes wakes(pcm, clock, stop);
  ASSERT_EQ(wakes.start(0ns), 0);
  wakes.wait();
  clock.advance(105ms);  // 40 ms were in it, 10 of them until the thread was to wake
  const WakeUp xrun = wakes.wait();
  ASSERT_EQ(xrun.status, WakeStatus::woken);
  EXPECT_NEAR(static_cast<double>(xrun.late.count()), 95e6, 2e5);
  EXPECT_EQ(xrun.missed, 9);
  EXPECT_LT(wakes.wait().late, 100us) << "anchored anew";
}

}  // namespace
}  // namespace xrunlab
