// Whole runs on the simulated card with tracks of 1, 2 and 36 channels: every channel of every file carries
// the same ramp, so that in each frame that the card gets all channels must be equal, also when the disk has
// left some of the tracks without data for longer than the ring lasts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "tests/disk/audio_bytes.hpp"
#include "tests/fixtures/stall_fs.hpp"
#include "xrunlab/engine/stream_run.hpp"

namespace xrunlab::test::frame_clock_tests {
namespace {

using namespace std::chrono_literals;
using fixture::Fault;
using fixture::FaultKind;
using fixture::StallFs;

constexpr Frames kLength = 60'000;  // 1.25 s
constexpr int kChannels = 1 + 2 + 36;

/// Rises through all values of 16 bits but 0, which is silence.
int ramp_at(Frames frame) {
  const int value = static_cast<int>(frame % 65'535) - 32'768;
  return value >= 0 ? value + 1 : value;
}

AudioBytes unison(SampleFormat format, int channels) {
  AudioBytes out;
  for (Frames frame = 0; frame < kLength; ++frame) {
    const AudioBytes sample = sample_bytes(format, ramp_at(frame));
    for (int channel = 0; channel < channels; ++channel) out.add(sample);
  }
  return out;
}

class FrameClockTest : public ::testing::Test {
 protected:
  FrameClockTest() {
    files_.write("mono.wav", wav(fmt16({.channels = 1}), unison(SampleFormat::s16_le, 1)));
    files_.write("stereo.wav", wav(fmt16({.channels = 2, .bits = 24}), unison(SampleFormat::s24_3le, 2)));
    files_.write("thirty-six.wav",
                 wav(fmt40({.channels = 36, .bits = 32}, 32, 0), unison(SampleFormat::s32_le, 36)));
  }

  /// Two of the tracks stall, one after the other.
  std::unique_ptr<StallFs> stalling() {
    const auto stall = [](const std::string& file, Frames frame, Bytes frame_bytes) {
      return Fault{.kind = FaultKind::stall, .file = file, .offset = frame * frame_bytes, .duration = 500ms};
    };
    try {
      return std::make_unique<StallFs>(
          files_.path(), std::vector{stall("stereo.wav", 20'000, 6), stall("thirty-six.wav", 40'000, 144)});
    } catch (const Error& error) {
      if (error.code() != ExitCode::not_possible) throw;
      reason_ = error.what();
      return nullptr;
    }
  }

  RunData play(const std::filesystem::path& from, StarveAnswer on_starve, RingUse ring_use = RingUse::ring) {
    StreamRequest request;
    for (const auto& file : expand_inputs({from})) request.files.push_back(open_audio_file(file));
    request.card.device = "sim:capture=" + capture().string();
    request.card.format = SampleFormat::s32_le;
    request.card.channels = kChannels;
    request.card.periods = 8;
    request.map = ChannelMap::direct;
    request.disk.ring = 150ms;
    request.disk.ring_use = ring_use;
    request.on_starve = on_starve;
    const Signals signals;
    return run_stream(request, signals, {}).run;
  }
  std::filesystem::path capture() const { return capture_.path() / "capture.wav"; }

  /// The frames that are not silent are the ramp, from its start to its end, equal in all channels.
  void expect_one_clock() const {
    const AudioFile info = open_audio_file(capture());
    ASSERT_EQ(info.channels, kChannels);
    std::ifstream in(capture(), std::ios::binary);
    in.seekg(info.data_offset);
    std::array<std::int32_t, kChannels> frame{};
    const std::array<std::int32_t, kChannels> silence{};
    Frames expected = 0;
    for (Frames at = 0; at < info.frames; ++at) {
      ASSERT_TRUE(in.read(reinterpret_cast<char*>(frame.data()), sizeof frame));
      if (frame == silence) continue;
      ASSERT_EQ(frame.front(), ramp_at(expected) * 65'536) << "frame " << at;
      ASSERT_TRUE(
          std::all_of(frame.begin(), frame.end(), [&](auto sample) { return sample == frame.front(); }))
          << "frame " << at;
      ++expected;
    }
    EXPECT_EQ(expected, kLength);
  }

  TemporaryDirectory files_;
  TemporaryDirectory capture_;
  std::string reason_;
};

TEST_F(FrameClockTest, ChannelsAreInStepOnAnUndisturbedDisk) {
  const RunData run = play(files_.path(), StarveAnswer::waited);
  EXPECT_TRUE(run.complete) << run.error;
  expect_one_clock();
}

TEST_F(FrameClockTest, ChannelsAreInStepAfterStarvationThatWasWaitedFor) {
  const auto disk = stalling();
  if (!disk) GTEST_SKIP() << reason_;
  const RunData run = play(disk->path(), StarveAnswer::waited);
  EXPECT_TRUE(run.complete) << run.error;
  EXPECT_EQ(disk->injected().size(), 2u);
  EXPECT_GE(run.counters.starved_reads, 1);
  expect_one_clock();
}

TEST_F(FrameClockTest, ChannelsAreInStepAfterStarvationThatWasFilledWithSilence) {
  const auto disk = stalling();
  if (!disk) GTEST_SKIP() << reason_;
  const RunData run = play(disk->path(), StarveAnswer::silenced);
  EXPECT_TRUE(run.complete) << run.error;
  EXPECT_GE(run.counters.silent_fragments, 1);
  expect_one_clock();
}

TEST_F(FrameClockTest, ChannelsAreInStepWithoutARing) {
  const auto disk = stalling();
  if (!disk) GTEST_SKIP() << reason_;
  const RunData run = play(disk->path(), StarveAnswer::waited, RingUse::none);
  EXPECT_TRUE(run.complete) << run.error;
  expect_one_clock();
}

}  // namespace
}  // namespace xrunlab::test::frame_clock_tests
