#include "xrunlab/audio/sim_capture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/audio/pcm_writer.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

class SimCaptureTest : public testing::Test {
 protected:
  SimCaptureTest() {
    std::string name = (std::filesystem::temp_directory_path() / "xrunlab-capture-XXXXXX").string();
    directory_ = mkdtemp(name.data());
    file_ = directory_ / "card.wav";
  }
  ~SimCaptureTest() override { std::filesystem::remove_all(directory_); }

  std::string captured() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path directory_;
  std::filesystem::path file_;
};

constexpr std::size_t kHeader = 80;

std::uint32_t number_at(const std::string& text, std::size_t at, int bytes) {
  std::uint32_t value = 0;
  for (int index = bytes; index-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(text[at + static_cast<std::size_t>(index)]);
  }
  return value;
}

TEST_F(SimCaptureTest, WritesAHeaderThatFitsTheSamples) {
  SimCapture capture(file_);
  capture.begin({SampleFormat::s24_3le, SampleRate{44100}, 3}, 900, WhenFull::wait);
  const std::string samples(9 * 1001, 'x');
  for (std::size_t at = 0; at < samples.size(); at += 9) {
    ASSERT_TRUE(capture.push(reinterpret_cast<const std::byte*>(samples.data()) + at, 9));
  }
  capture.close();
  const auto file = captured();
  ASSERT_EQ(file.size(), kHeader + samples.size() + 1);
  EXPECT_EQ(file.substr(0, 4), "RIFF");
  EXPECT_EQ(number_at(file, 4, 4), file.size() - 8);
  EXPECT_EQ(number_at(file, 56, 2), 1U);
  EXPECT_EQ(number_at(file, 58, 2), 3U);
  EXPECT_EQ(number_at(file, 60, 4), 44100U);
  EXPECT_EQ(number_at(file, 64, 4), 44100U * 9);
  EXPECT_EQ(number_at(file, 68, 2), 9U);
  EXPECT_EQ(number_at(file, 70, 2), 24U);
  EXPECT_EQ(number_at(file, 76, 4), samples.size());
  EXPECT_EQ(file.substr(kHeader, samples.size()), samples);
}

TEST_F(SimCaptureTest, AFullQueueFailsForGoodAndSaysWhy) {
  SimCapture capture(file_);
  capture.begin({SampleFormat::s32_le, SampleRate{48000}, 1}, 64, WhenFull::fail);
  const std::vector<std::byte> samples(128);
  EXPECT_FALSE(capture.push(samples.data(), 128));
  EXPECT_FALSE(capture.push(samples.data(), 4));
  try {
    capture.close();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::audio_device);
    EXPECT_THAT(error.what(), testing::HasSubstr("queue ran full"));
  }
}

TEST_F(SimCaptureTest, AFileThatCannotBeMadeIsRefusedAtOpening) {
  FakeClock clock;
  std::vector<std::string> warnings;
  PcmRequest wanted;
  wanted.device = "sim:capture=" + (directory_ / "missing" / "card.wav").string();
  wanted.rate = SampleRate{48000};
  EXPECT_THROW(open_pcm(wanted, clock, warnings), Error);
}

TEST_F(SimCaptureTest, AFullDiskIsAnErrorAtClosing) {
  SimCapture capture("/dev/full");
  capture.begin({SampleFormat::s32_le, SampleRate{48000}, 1}, 4096, WhenFull::wait);
  EXPECT_THROW(capture.close(), Error);
}

struct Layout {
  SampleFormat format;
  int channels;
};

void PrintTo(const Layout& layout, std::ostream* out) {
  *out << to_string(layout.format) << ", " << layout.channels << " channels";
}

class SimCaptureLayoutTest : public SimCaptureTest, public testing::WithParamInterface<Layout> {};

/// What a player writes is what the file holds, through xruns and stalls, in every format.
TEST_P(SimCaptureLayoutTest, HoldsWhatTheCardAccepted) {
  FakeClock clock;
  std::vector<std::string> warnings;
  PcmRequest wanted;
  wanted.device = "sim:stall=100ms+50ms,capture=" + file_.string();
  wanted.rate = SampleRate{48000};
  wanted.format = GetParam().format;
  wanted.channels = GetParam().channels;
  wanted.period = 256;
  wanted.fragment = 300;
  const auto pcm = open_pcm(wanted, clock, warnings);
  const std::atomic<bool> stop{false};
  PcmWriter writer(*pcm, clock, stop);
  const auto sample = static_cast<std::size_t>(bytes_per_sample(*wanted.format));
  const std::size_t stored = *wanted.format == SampleFormat::s24_le ? 3 : sample;
  std::string expected;
  std::uint32_t next = 12345;
  int xruns = 0;
  for (int count = 0; count < 60; ++count) {
    std::string fragment;
    for (int index = 0; index < 300 * wanted.channels; ++index) {
      next = next * 1664525 + 1013904223;
      char bytes[4];
      std::memcpy(bytes, &next, 4);
      fragment.append(bytes, sample);
      expected.append(bytes, stored);
    }
    if (count % 17 == 16) clock.advance(1s);
    const auto result = writer.write(reinterpret_cast<const std::byte*>(fragment.data()), 300, clock.now());
    ASSERT_EQ(result.status, WriteStatus::written);
    xruns += result.xruns_met;
  }
  EXPECT_EQ(xruns, 3);
  EXPECT_EQ(pcm->drain(1s, stop), 0);
  pcm->close();
  const auto file = captured();
  ASSERT_EQ(file.size(), kHeader + expected.size() + expected.size() % 2);
  EXPECT_TRUE(file.compare(kHeader, expected.size(), expected) == 0);
  EXPECT_EQ(number_at(file, 56, 2), *wanted.format == SampleFormat::f32_le ? 3U : 1U);
}

INSTANTIATE_TEST_SUITE_P(, SimCaptureLayoutTest,
                         testing::Values(Layout{SampleFormat::s32_le, 2}, Layout{SampleFormat::s24_3le, 5},
                                         Layout{SampleFormat::s24_le, 3}, Layout{SampleFormat::s16_le, 1},
                                         Layout{SampleFormat::f32_le, 64}, Layout{SampleFormat::u8, 1}),
                         [](const auto& test) { return std::string(to_string(test.param.format)); });

}  // namespace
}  // namespace xrunlab
