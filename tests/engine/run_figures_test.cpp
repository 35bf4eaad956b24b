#include "xrunlab/engine/run_figures.hpp"

#include <gtest/gtest.h>

namespace xrunlab::test::run_figures_tests {
namespace {

using namespace std::chrono_literals;

constexpr SampleRate kRate{1000};

/// 10 s of audio, written from 100 s on: for 4 s to an unpaced card.
PlaybackResult written() {
  PlaybackResult playback;
  playback.frames_played = 10'000;
  playback.first_write = 100s;
  playback.first_start = 100s;
  playback.last_write_end = 104s;
  return playback;
}

ThroughputData read() {
  ThroughputData throughput;
  throughput.bytes_read = 50'000;
  return throughput;
}

TEST(RunSpeed, OfAnUnpacedCardIsAllOfOneStretchPrimingAndPlaying) {
  ThroughputData throughput = read();
  record_speed(written(), Pacing::unpaced, kRate, 1s, throughput);
  EXPECT_EQ(throughput.time_ns, 5'000'000'000);
  EXPECT_DOUBLE_EQ(throughput.bytes_per_s, 10'000);
  EXPECT_DOUBLE_EQ(throughput.realtime_factor, 2);
}

TEST(RunSpeed, OfAPacedCardIsWhatItPlayedWhileItRan) {
  ThroughputData throughput = read();
  PlaybackResult playback = written();
  playback.first_start = 100s + 20ms;
  playback.last_write_end = 109s + 920ms;
  playback.frames_left = 100;
  record_speed(playback, Pacing::by_rate, kRate, 80ms, throughput);
  EXPECT_EQ(throughput.time_ns, 10'000'000'000);
  EXPECT_DOUBLE_EQ(throughput.bytes_per_s, 5'000);
  EXPECT_DOUBLE_EQ(throughput.realtime_factor, 1);
}

TEST(RunSpeed, IsZeroWhenNothingWasWritten) {
  ThroughputData throughput = read();
  record_speed({}, Pacing::by_rate, kRate, 1s, throughput);
  EXPECT_EQ(throughput, read());
}

}  // namespace
}  // namespace xrunlab::test::run_figures_tests
