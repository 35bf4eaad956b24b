#include "xrunlab/disk/riff.hpp"

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

const AudioBytes kSamples16 = ramp(SampleFormat::s16_le);

AudioBytes list(std::size_t zeros) {
  return AudioBytes{}.text("adtl").zeros(zeros - 4);
}

TEST(Riff, Plain16BitHasItsSamplesRightBehindTheHeader) {
  expect_samples(wav(fmt16(), kSamples16), SampleFormat::s16_le, 1000, kSamples16);
  const AudioFile file = opened(wav(fmt16(), kSamples16));
  EXPECT_EQ(file.container, "wav");
  EXPECT_EQ(file.data_offset, 44);
  EXPECT_EQ(file.rate, SampleRate{48000});
  EXPECT_EQ(file.valid_bits, 16);
  EXPECT_TRUE(file.warnings.empty());
  EXPECT_FALSE(file.short_input);
  EXPECT_EQ(opened(wav(fmt18(), kSamples16)).data_offset, 46);
}

TEST(Riff, EveryRawFormatIsFoundByTagAndBits) {
  struct Kind {
    unsigned tag;
    unsigned bits;
    SampleFormat format;
  };
  for (const Kind& kind :
       {Kind{1, 8, SampleFormat::u8}, Kind{1, 24, SampleFormat::s24_3le}, Kind{1, 32, SampleFormat::s32_le},
        Kind{3, 32, SampleFormat::f32_le}, Kind{3, 64, SampleFormat::f64_le}}) {
    SCOPED_TRACE(to_string(kind.format));
    const AudioBytes samples = ramp(kind.format);
    WaveFormat format;
    format.tag = kind.tag;
    format.bits = kind.bits;
    expect_samples(wav(fmt18(format), samples), kind.format, 1000, samples);
  }
}

TEST(Riff, RifxIsBigEndianThroughout) {
  const AudioBytes samples = ramp(SampleFormat::s16_be);
  expect_samples(rifx(1, 16, samples), SampleFormat::s16_be, 1000, samples);
  const AudioBytes floats = ramp(SampleFormat::f64_be);
  expect_samples(rifx(3, 64, floats), SampleFormat::f64_be, 1000, floats);
}

TEST(Riff, OddBitsStandAtTheTopOfTheirContainer) {
  WaveFormat format;
  format.bits = 20;
  const AudioFile in_three = opened(wav(fmt16(format), ramp(SampleFormat::s24_3le)));
  EXPECT_EQ(in_three.raw_format, SampleFormat::s24_3le);
  EXPECT_EQ(in_three.valid_bits, 20);
  format.bits = 12;
  EXPECT_EQ(opened(wav(fmt16(format), kSamples16)).raw_format, SampleFormat::s16_le);
}

TEST(Riff, PlainTwentyFourBitsInFourBytesAreArecordsLowThree) {
  WaveFormat format;
  format.bits = 24;
  format.container_bytes = 4;
  const AudioBytes samples = ramp(SampleFormat::s24_le);
  expect_samples(wav(fmt16(format), samples), SampleFormat::s24_le, 1000, samples);
  EXPECT_TRUE(has_warning(opened(wav(fmt16(format), samples)), "arecord"));
}

TEST(Riff, ExtensibleTellsValidBitsAndKind) {
  WaveFormat format;
  format.bits = 32;
  const AudioFile padded = opened(wav(fmt40(format, 24, 3), ramp(SampleFormat::s32_le)));
  EXPECT_EQ(padded.raw_format, SampleFormat::s32_le);
  EXPECT_EQ(padded.valid_bits, 24);
  EXPECT_EQ(padded.frames, 1000);

  format.tag = 3;
  EXPECT_EQ(opened(wav(fmt40(format, 32, 3), ramp(SampleFormat::f32_le))).raw_format, SampleFormat::f32_le);

  WaveFormat packed;
  packed.bits = 24;
  packed.channels = 32;
  const AudioBytes samples = ramp(SampleFormat::s24_3le, 200, 32);
  expect_samples(wav(fmt40(packed, 24, 0), samples), SampleFormat::s24_3le, 200, samples, 32);

  WaveFormat ambisonic;
  ambisonic.channels = 4;
  const AudioBytes sound = ramp(SampleFormat::s16_le, 1000, 4);
  expect_samples(wav(fmt40(ambisonic, 16, 0, true), sound), SampleFormat::s16_le, 1000, sound, 4);
}

TEST(Riff, ChunksBeforeTheSamplesAreSkippedBySizeAlone) {
  AudioBytes chunks;
  chunks.chunk_le("JUNK", AudioBytes{}.zeros(28)).chunk_le("bext", AudioBytes{}.zeros(617));
  chunks.chunk_le("fmt ", fmt16()).chunk_le("axml", AudioBytes{}.zeros(495)).chunk_le("LIST", list(1000));
  const std::size_t offset = 12 + chunks.size() + 8;
  chunks.chunk_le("data", kSamples16).chunk_le("iXML", AudioBytes{}.text("<x/>")).text("text appended");
  expect_samples(riff(chunks), SampleFormat::s16_le, 1000, kSamples16);
  EXPECT_EQ(opened(riff(chunks)).data_offset, static_cast<Bytes>(offset));

  AudioBytes recorder;
  recorder.chunk_le("fmt ", fmt16()).chunk_le("LIST", list(393'164)).chunk_le("data", kSamples16);
  EXPECT_EQ(opened(riff(recorder)).data_offset, 12 + 24 + 8 + 393'164 + 8);
}

TEST(Riff, ForgottenPadByteIsNoticed) {
  AudioBytes chunks;
  chunks.chunk_le("fmt ", fmt16()).text("note").le(4, 5).text("hello").chunk_le("data", kSamples16);
  expect_samples(riff(chunks), SampleFormat::s16_le, 1000, kSamples16);
}

TEST(Riff, OddDataSizeWithPadAndChunkBehind) {
  WaveFormat format;
  format.bits = 24;
  format.channels = 1;
  const AudioBytes samples = ramp(SampleFormat::s24_3le, 101, 1);
  ASSERT_EQ(samples.size(), 303U);
  AudioBytes chunks;
  chunks.chunk_le("fmt ", fmt16(format)).chunk_le("data", samples).chunk_le("LIST", list(20));
  expect_samples(riff(chunks), SampleFormat::s24_3le, 101, samples, 1);
}

TEST(Riff, BextThatClaimsTooMuchIsNamed) {
  AudioBytes chunks;
  chunks.text("bext").le(4, 0x7fffff00).zeros(602).chunk_le("fmt ", fmt16()).chunk_le("data", kSamples16);
  EXPECT_TRUE(contains(refusal_of(riff(chunks)).what, "bext chunk claims 2147483392 bytes, 4634 left"));
}

TEST(Riff, CutFilesPlayWhatIsThere) {
  AudioBytes half;
  half.text(wav(fmt16(), kSamples16).bytes().substr(0, 44 + 2000));
  const AudioFile file = opened(half);
  EXPECT_EQ(file.frames, 500);
  EXPECT_TRUE(file.short_input);
  EXPECT_TRUE(has_warning(file, "4000 bytes")) << file.warnings.front();
  EXPECT_TRUE(has_warning(file, "2000 are there"));
}

TEST(Riff, PartialLastFrameIsLeftOut) {
  AudioBytes odd;
  odd.text(kSamples16.bytes().substr(0, 3999));
  const AudioFile file = opened(wav(fmt16(), odd));
  EXPECT_EQ(file.frames, 999);
  EXPECT_TRUE(has_warning(file, "3 odd bytes"));
  EXPECT_FALSE(file.short_input);
}

TEST(Riff, UnfinishedRecordingIsRefusedWithAHint) {
  AudioBytes died;
  died.text("RIFF").le(4, 36).text("WAVE").chunk_le("fmt ", fmt16()).text("data").le(4, 0).add(kSamples16);
  const Refusal refusal = refusal_of(died);
  EXPECT_TRUE(contains(refusal.what, "4000 follow")) << refusal.what;
  EXPECT_TRUE(contains(refusal.remedy, "--ignore-length plays the 1000 frames")) << refusal.remedy;
  EXPECT_EQ(opened(died, LengthRule::take_what_is_there).frames, 1000);
}

TEST(Riff, LengthsFromPipesAreUnknown) {
  for (const std::uint32_t size : {0xffffffffU, 0x7ffff000U, 0x80000000U}) {
    AudioBytes pipe;
    pipe.text("RIFF").le(4, size).text("WAVE").chunk_le("fmt ", fmt16()).chunk_le("LIST", list(26));
    pipe.text("data").le(4, size).add(kSamples16);
    const AudioFile file = opened(pipe);
    EXPECT_EQ(file.frames, 1000);
    EXPECT_FALSE(file.short_input);
    EXPECT_TRUE(file.warnings.empty());
  }
}

TEST(Riff, NothingToPlayHasThreeTexts) {
  AudioBytes bare;
  bare.text("RIFF").le(4, 4).text("WAVE");
  const std::string none = refusal_of(bare).what;
  const std::string zero = refusal_of(wav(fmt16(), {})).what;
  const std::string empty = refusal_of({}).what;
  EXPECT_TRUE(contains(none, "no chunks")) << none;
  EXPECT_TRUE(contains(zero, "0 frames")) << zero;
  EXPECT_TRUE(contains(empty, "0 bytes")) << empty;
}

TEST(Riff, ZeroFramesBeforeAnotherChunkAreNoUnfinishedRecording) {
  AudioBytes chunks;
  chunks.chunk_le("fmt ", fmt16()).chunk_le("data", {}).chunk_le("LIST", list(100));
  EXPECT_TRUE(contains(refusal_of(riff(chunks)).what, "0 frames"));
}

TEST(Riff, ImpossibleHeadersAreNamed) {
  AudioBytes reversed;
  reversed.chunk_le("data", kSamples16).chunk_le("fmt ", fmt16());
  EXPECT_TRUE(contains(refusal_of(riff(reversed)).what, "before the fmt chunk"));
  WaveFormat format;
  format.channels = 0;
  EXPECT_TRUE(contains(refusal_of(wav(fmt16(format), kSamples16)).what, "0 channels"));
  format.channels = 1025;
  EXPECT_TRUE(contains(refusal_of(wav(fmt16(format), kSamples16)).what, "1025 channels"));
  format = {};
  format.rate = 0;
  EXPECT_TRUE(contains(refusal_of(wav(fmt16(format), kSamples16)).what, "sample rate of 0"));
  format = {};
  format.bits = 64;
  EXPECT_TRUE(contains(refusal_of(wav(fmt16(format), kSamples16)).what, "64 bits in 8 bytes"));
}

TEST(Riff, Rf64TakesItsLengthFromDs64) {
  expect_samples(rf64(kSamples16), SampleFormat::s16_le, 1000, kSamples16);
  EXPECT_EQ(opened(rf64(kSamples16)).data_offset, 80);
  EXPECT_EQ(opened(rf64(kSamples16)).container, "rf64");
  const AudioBytes behind = AudioBytes{}.chunk_le("LIST", list(100));
  expect_samples(rf64(kSamples16, behind), SampleFormat::s16_le, 1000, kSamples16);
  EXPECT_EQ(opened(rf64(kSamples16, {}, 0, "BW64")).container, "bw64");
  EXPECT_TRUE(contains(
      refusal_of(riff(AudioBytes{}.chunk_le("fmt ", fmt16()).chunk_le("data", kSamples16), "RF64")).what,
      "RF64 without ds64"));
}

TEST(Riff, MuLawIsLeftToTheDecoder) {
  WaveFormat format;
  format.tag = 7;
  format.bits = 8;
  const AudioFile file = opened(wav(fmt18(format), AudioBytes{}.zeros(2000)));
  EXPECT_TRUE(file.decoded());
  EXPECT_EQ(file.container, "wav");
  EXPECT_EQ(file.codec, "U-Law");
  EXPECT_EQ(file.frames, 1000);
  format.tag = 0x1234;
  EXPECT_TRUE(contains(refusal_of(wav(fmt18(format), kSamples16)).what, "0x1234"));
}

}  // namespace
}  // namespace xrunlab::test
