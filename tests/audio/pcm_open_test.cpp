#include "xrunlab/audio/pcm_open.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/audio/alsa_configuration.hpp"
#include "xrunlab/audio/pcm_writer.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

PcmRequest request(std::string device) {
  PcmRequest wanted;
  wanted.device = std::move(device);
  wanted.rate = SampleRate{44100};
  return wanted;
}

TEST(PcmOpen, NullTakesEverythingAtOnceAndIsNotPaced) {
  SystemClock clock;
  std::vector<std::string> warnings;
  const auto pcm = open_pcm(request("null"), clock, warnings);
  EXPECT_FALSE(pcm->grant().paced);
  EXPECT_FALSE(pcm->grant().simulated);
  EXPECT_EQ(pcm->grant().plugin, "null");
  EXPECT_EQ(pcm->grant().fragment, 1024);
  const std::vector<std::byte> silence(1024 * 2 * 4);
  for (int count = 0; count < 100; ++count) ASSERT_EQ(pcm->write(silence.data(), 1024), 1024);
  EXPECT_EQ(pcm->state(), PcmState::prepared);
  EXPECT_EQ(pcm->drain(1s, std::atomic<bool>{false}), 0);
}

TEST(PcmOpen, ExplainsACardThatIsNotThereWithoutAWordOnStderr) {
  SystemClock clock;
  std::vector<std::string> warnings;
  testing::internal::CaptureStderr();
  try {
    open_pcm(request("hw:no_such_card"), clock, warnings);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::audio_device);
    EXPECT_THAT(error.what(), testing::HasSubstr("hw:no_such_card"));
    EXPECT_THAT(error.remedy(), testing::HasSubstr("aplay -L"));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(PcmOpen, NamesTheSoundServerBehindAName) {
  const AlsaConfiguration configuration(
      "pcm.default { type plug slave.pcm \"server\" }\n"
      "pcm.server { type pipewire }\n"
      "pcm.pulse { type pulse }\n"
      "pcm.nested { type asym playback.pcm { type plug slave.pcm { type jack } } }\n"
      "pcm.circle { type plug slave.pcm \"circle\" }\n"
      "pcm.card { type hw card 0 }\n");
  EXPECT_EQ(sound_server_of("default"), "PipeWire");
  EXPECT_EQ(sound_server_of("pulse"), "PulseAudio");
  EXPECT_EQ(sound_server_of("nested"), "JACK");
  EXPECT_EQ(sound_server_of("card"), "");
  EXPECT_EQ(sound_server_of("circle"), "");
  EXPECT_EQ(sound_server_of("undefined"), "");
}

TEST(PcmOpen, KnowsWhatCannotBeHeard) {
  const AlsaConfiguration configuration(
      "pcm.null { type null }\n"
      "pcm.card { type hw card 0 }\n"
      "pcm.file { @args [ FILE ] @args.FILE { type string } type file slave.pcm null file $FILE }\n");
  EXPECT_TRUE(silent_device("sim"));
  EXPECT_TRUE(silent_device("sim:ppm=5"));
  EXPECT_TRUE(silent_device("null"));
  EXPECT_TRUE(silent_device("file:/tmp/x"));
  EXPECT_FALSE(silent_device("card"));
  EXPECT_FALSE(silent_device("simcard"));
}

TEST(PcmOpen, AlsasFilePcmGetsTheSameBytesAndIsNotPaced) {
  const AlsaConfiguration configuration("pcm.null { type null }\n");
  const auto file = configuration.directory() / "copy.raw";
  std::ofstream(configuration.directory() / "asound.conf", std::ios::app)
      << "pcm.exact { type file slave.pcm null format raw file \"" << file.string() << "\" }\n";
  SystemClock clock;
  std::vector<std::string> warnings;
  std::vector<std::int32_t> samples(1024 * 2 * 8);
  for (std::size_t index = 0; index < samples.size(); ++index) {
    samples[index] = static_cast<std::int32_t>(index * 2654435761U);
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(samples.data());
  {
    const auto pcm = open_pcm(request("exact"), clock, warnings);
    EXPECT_EQ(pcm->grant().plugin, "file");
    EXPECT_FALSE(pcm->grant().paced);
    const std::atomic<bool> stop{false};
    PcmWriter writer(*pcm, clock, stop);
    for (Frames at = 0; at < 1024 * 8; at += 1024) {
      ASSERT_EQ(writer.write(bytes + at * 8, 1024, clock.now()).status, WriteStatus::written);
    }
    pcm->drain(1s, stop);
  }
  std::ifstream in(file, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(in), {}};
  ASSERT_EQ(written.size(), samples.size() * 4);
  EXPECT_EQ(std::memcmp(written.data(), samples.data(), written.size()), 0);
}

TEST(PcmOpen, RefusesSizesBelowOne) {
  SystemClock clock;
  std::vector<std::string> warnings;
  auto wanted = request("sim");
  wanted.period = 0;
  EXPECT_THROW(open_pcm(wanted, clock, warnings), Error);
}

}  // namespace
}  // namespace xrunlab
