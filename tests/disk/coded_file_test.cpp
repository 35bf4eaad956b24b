#include "xrunlab/disk/coded_file.hpp"

#include <fstream>
#include <random>
#include <sstream>

#include "tests/disk/field_waves.hpp"
#include "tests/disk/flac_bytes.hpp"
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
  EXPECT_EQ(opened(flac(1024)).frames, 1024);
  EXPECT_EQ(opened(flac(512)).frames, 512);
  for (const std::uint32_t unknown : {0U, 0x7ffff000U / 4, 0xffffffffU / 4}) {
    const AudioFile file = opened(flac(unknown));
    EXPECT_FALSE(file.frames_known) << unknown;
    EXPECT_EQ(file.frames, 0) << unknown;
  }
}

TEST(CodedFile, FlacBehindATagIsFound) {
  const AudioBytes tag = AudioBytes{}.text("ID3").u8(4).u8(0).u8(0).be(4, 100).zeros(100);
  EXPECT_EQ(opened(AudioBytes{}.add(tag).add(flac(1024))).frames, 1024);
  const AudioBytes wave = wav(fmt16(), ramp(SampleFormat::s16_le));
  const Refusal refusal = refusal_of(AudioBytes{}.add(tag).add(wave));
  EXPECT_TRUE(contains(refusal.what, "an ID3 tag of 110 bytes stands before the RIFF header"));
  EXPECT_TRUE(contains(refusal.remedy, "tail -c +111 IN > OUT"));
}

TEST(CodedFile, FlacOfRateZeroIsRefusedForThat) {
  std::string bytes = flac(1024).bytes();
  constexpr std::size_t kRate = 18;  // 20 bits
  bytes[kRate] = bytes[kRate + 1] = 0;
  bytes[kRate + 2] = static_cast<char>(bytes[kRate + 2] & 0x0f);
  EXPECT_EQ(refusal_of(AudioBytes{}.text(bytes)).what, "track: the header says a sample rate of 0");
}

TEST(CodedFile, FlacInOggIsRefusedByItsName) {
  for (const auto& bytes : {flac_in_ogg(), AudioBytes{}.add(flac_in_ogg()).zeros(10'000)}) {
    const Refusal refusal = refusal_of(bytes);
    EXPECT_EQ(refusal.what, "track: FLAC in Ogg, which libsndfile cannot decode");
    EXPECT_TRUE(contains(refusal.remedy, "ffmpeg -i IN -c copy OUT.flac"));
  }
}

/// Mono µ-law, a byte a frame, under a fmt chunk that says so.
AudioBytes mu_law_fmt() {
  WaveFormat format;
  format.tag = 7;
  format.channels = 1;
  format.bits = 8;
  return fmt18(format);
}

TEST(CodedFile, LengthsInRiffMeanTheSameForCodedSamples) {
  const AudioBytes samples = AudioBytes{}.zeros(1000);
  const AudioFile whole = opened(wav(mu_law_fmt(), samples));
  EXPECT_EQ(whole.codec, "U-Law");
  EXPECT_EQ(whole.frames, 1000);
  EXPECT_EQ(whole.data_offset, 46);
  const AudioFile cut_off = opened(cut(wav(mu_law_fmt(), samples), 46 + 300));
  EXPECT_EQ(cut_off.frames, 300);
  EXPECT_TRUE(cut_off.short_input);
  EXPECT_TRUE(has_warning(cut_off, "1000 bytes, 300 are there"));
  const AudioFile piped = opened(wav_of_sizes(0xffffffff, 0xffffffff, samples, {}, mu_law_fmt()));
  EXPECT_EQ(piped.frames, 1000);
  EXPECT_TRUE(piped.warnings.empty());
  const AudioBytes died = wav_of_sizes(38, 0, samples, {}, mu_law_fmt());
  EXPECT_TRUE(contains(refusal_of(died).what, "1000 follow: the recording was not finished"));
  EXPECT_TRUE(contains(refusal_of(died).remedy, "sox --ignore-length"));
  EXPECT_TRUE(contains(refusal_of(wav(mu_law_fmt(), {})).what, "0 frames"));
}

TEST(CodedFile, CodecsInWavAreNamed) {
  const TemporaryDirectory directory;
  for (const auto& [subtype, name] :
       {std::pair{SF_FORMAT_ULAW, "U-Law"}, std::pair{SF_FORMAT_ALAW, "A-Law"},
        std::pair{SF_FORMAT_MS_ADPCM, "Microsoft ADPCM"}, std::pair{SF_FORMAT_IMA_ADPCM, "IMA ADPCM"}}) {
    const AudioFile file =
        open_audio_file(write_coded(directory.path() / "track", SF_FORMAT_WAV | subtype, 4800));
    EXPECT_TRUE(file.decoded());
    EXPECT_EQ(file.container, "wav");
    EXPECT_EQ(file.codec, name);
    EXPECT_GE(file.frames, 4800);  // the last block is filled up
    EXPECT_TRUE(file.warnings.empty());
    EXPECT_GT(file.data_offset, 40);
  }
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
