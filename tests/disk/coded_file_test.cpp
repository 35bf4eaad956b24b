#include "xrunlab/disk/coded_file.hpp"

#include <fstream>
#include <random>
#include <sstream>

#include "tests/disk/open_in_test.hpp"
#include "tests/disk/written_by_libsndfile.hpp"

namespace xrunlab::test {
namespace {

AudioBytes bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return AudioBytes{}.text(all.str());
}

TEST(CodedFile, FlacIsDescribed) {
  const TemporaryDirectory directory;
  const AudioFile file =
      open_audio_file(write_coded(directory.path() / "a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 1024));
  EXPECT_TRUE(file.decoded());
  EXPECT_EQ(file.container, "flac");
  EXPECT_EQ(file.codec, "FLAC 24 bit");
  EXPECT_EQ(file.valid_bits, 24);
  EXPECT_EQ(file.rate, SampleRate{48000});
  EXPECT_EQ(file.channels, 2);
  EXPECT_EQ(file.frames, 1024);
  EXPECT_TRUE(file.frames_known);
}

TEST(CodedFile, OggAndMp3AreDescribed) {
  const TemporaryDirectory directory;
  const AudioFile vorbis =
      open_audio_file(write_coded(directory.path() / "a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 4800));
  EXPECT_EQ(vorbis.container, "ogg");
  EXPECT_EQ(vorbis.codec, "Vorbis");
  EXPECT_EQ(vorbis.frames, 4800);
  const AudioFile opus =
      open_audio_file(write_coded(directory.path() / "a.opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, 4800));
  EXPECT_EQ(opus.codec, "Opus");
  const AudioFile mp3 = open_audio_file(
      write_coded(directory.path() / "a.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 48000));
  EXPECT_EQ(mp3.container, "mp3");
  EXPECT_EQ(mp3.channels, 2);
  EXPECT_GE(mp3.frames, 48000);
}

TEST(CodedFile, FlacWithoutALengthIsPlayable) {
  const TemporaryDirectory directory;
  std::string bytes =
      bytes_of(write_coded(directory.path() / "a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1024)).bytes();
  // STREAMINFO: the number of samples is 36 bits, from the low half of byte 21 to byte 25.
  bytes[21] = static_cast<char>(bytes[21] & 0xf0);
  for (std::size_t index = 22; index <= 25; ++index) bytes[index] = 0;
  const AudioFile file = opened(AudioBytes{}.text(bytes));
  EXPECT_FALSE(file.frames_known);
  EXPECT_EQ(file.frames, 0);
}

TEST(CodedFile, WhatIsNoAudioFileIsQuoted) {
  EXPECT_EQ(refusal_of(AudioBytes{}.text("this is a letter\n")).what,
            "track: not an audio file (starts with 'this')");
  EXPECT_TRUE(contains(refusal_of(AudioBytes{}.be(4, 0x7f454c46).zeros(100)).what, "the bytes 7f 45 4c 46"));
  EXPECT_EQ(refusal_of(AudioBytes{}.text("x")).what, "track: not an audio file (starts with 'x')");
}

TEST(CodedFile, ContainersOfOtherThingsAreNamed) {
  const AudioBytes video = AudioBytes{}.text("RIFF").le(4, 100).text("AVI LIST").zeros(100);
  EXPECT_TRUE(contains(refusal_of(video).what, "'AVI '"));
}

TEST(CodedFile, BrokenBytesAreRefusedOrDescribedCredibly) {
  const TemporaryDirectory directory;
  std::mt19937_64 random(2011);
  // FLAC alone: libsndfile leaks what it has allocated for a broken Vorbis header.
  const std::string seed =
      bytes_of(write_coded(directory.path() / "seed", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2000)).bytes();
  for (int round = 0; round < 400; ++round) {
    std::string bytes = seed;
    for (int change = 0; change < 4; ++change) bytes[random() % 200] = static_cast<char>(random());
    if (round % 4 == 0) bytes.resize(1 + random() % bytes.size());
    BoundedReader reader(std::as_bytes(std::span(bytes)), "broken");
    AudioFile file;
    try {
      describe_coded_file(reader, file);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input_file);
      continue;
    }
    EXPECT_TRUE(file.decoded());
    EXPECT_TRUE(file.channels >= 1 && file.channels <= 1024 && file.rate.hz >= 1);
    EXPECT_EQ(file.frames_known, file.frames > 0);
  }
}

}  // namespace
}  // namespace xrunlab::test
