#include "xrunlab/disk/mpeg_header.hpp"

#include <sndfile.h>

#include <random>

#include "tests/disk/open_in_test.hpp"
#include "tests/disk/written_by_libsndfile.hpp"
#include "xrunlab/disk/coded_stream.hpp"

namespace xrunlab::test {
namespace {

/// Seven parts of near silence, then three of noise, at a variable bit rate.
std::string variable_mp3(const std::filesystem::path& path, Frames frames) {
  SF_INFO info{};
  info.samplerate = 48000;
  info.channels = 2;
  info.format = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  if (file == nullptr) throw std::runtime_error(sf_strerror(nullptr));
  int variable = SF_BITRATE_MODE_VARIABLE;
  sf_command(file, SFC_SET_BITRATE_MODE, &variable, sizeof variable);
  std::mt19937 random(2);
  std::uniform_real_distribution<float> noise(-0.5F, 0.5F);
  std::vector<float> samples(4800 * 2);
  for (Frames done = 0; done < frames; done += 4800) {
    for (float& sample : samples) sample = done < frames * 7 / 10 ? 0.001F : noise(random);
    sf_writef_float(file, samples.data(), 4800);
  }
  sf_close(file);
  return content_of(path);
}

/// Without its first frame, which holds nothing but the length.
std::string without_xing(const std::string& mp3) {
  auto next = mp3.find("Xing");
  if (next == std::string::npos) next = mp3.find("Info");
  return mp3.substr(mp3.find(mp3.substr(0, 2), next));
}

Frames frames_to_the_end(const AudioFile& file) {
  CodedStream stream(file);
  std::vector<float> samples(4096 * static_cast<std::size_t>(file.channels));
  while (stream.read_float(samples.data(), 4096) > 0) continue;
  EXPECT_EQ(stream.failure(), "");
  return stream.position();
}

TEST(MpegHeader, Mp3WithoutALengthIsPlayedToItsEnd) {
  constexpr Frames kWholeFrames = 480'000;
  const TemporaryDirectory directory;
  const std::string whole = variable_mp3(directory.path() / "whole.mp3", kWholeFrames);
  const AudioFile known = open_audio_file(directory.path() / "whole.mp3");
  EXPECT_TRUE(known.frames_known);
  EXPECT_EQ(frames_to_the_end(known), known.frames);
  for (const std::string& tail : {std::string(), "TAG" + std::string(125, ' ')}) {
    const AudioFile file =
        open_audio_file(directory.write("track", AudioBytes{}.text(without_xing(whole)).text(tail)));
    EXPECT_EQ(file.container, "mp3");
    EXPECT_FALSE(file.frames_known);
    EXPECT_EQ(file.frames, 0);
    const Frames played = frames_to_the_end(file);
    EXPECT_GE(played, kWholeFrames);
    EXPECT_LE(played,
              kWholeFrames + 4 * 1152);  // without the length the encoder's padding is not known either
  }
}

TEST(MpegHeader, Mp3CutWithoutALengthIsExhausted) {
  const TemporaryDirectory directory;
  const std::string whole = without_xing(variable_mp3(directory.path() / "whole.mp3", 96'000));
  const AudioFile file =
      open_audio_file(directory.write("track", AudioBytes{}.text(whole.substr(0, whole.size() - 200))));
  CodedStream stream(file);
  std::vector<float> samples(4096 * 2);
  while (stream.read_float(samples.data(), 4096) > 0 && stream.failure().empty()) continue;
  EXPECT_GT(stream.position(), 90'000);
  EXPECT_TRUE(stream.failure().empty() || stream.exhausted());
  EXPECT_TRUE(may_be_cut(file));
}

}  // namespace
}  // namespace xrunlab::test
