#include "xrunlab/disk/aiff.hpp"

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

TEST(Aiff, PlainFilesAreBigEndian) {
  for (const auto& [bits, format] :
       {std::pair{8U, SampleFormat::s8}, std::pair{16U, SampleFormat::s16_be},
        std::pair{24U, SampleFormat::s24_3be}, std::pair{32U, SampleFormat::s32_be}}) {
    SCOPED_TRACE(bits);
    const AudioBytes samples = ramp(format);
    AudioBytes chunks;
    chunks.chunk_be("COMM", comm(bits, 1000)).chunk_be("NAME", AudioBytes{}.text("odd"));
    const AudioBytes file =
        aiff(chunks.chunk_be("SSND", ssnd(samples)).chunk_be("ANNO", AudioBytes{}.text("behind")));
    expect_samples(file, format, 1000, samples);
    EXPECT_EQ(opened(file).container, "aiff");
    EXPECT_EQ(opened(file).rate, SampleRate{48000});
  }
}

TEST(Aiff, CompressionNamesTellTheFormat) {
  struct Kind {
    const char* name;
    unsigned bits;
    SampleFormat format;
  };
  for (const Kind& kind : {Kind{"NONE", 16, SampleFormat::s16_be}, Kind{"twos", 24, SampleFormat::s24_3be},
                           Kind{"sowt", 16, SampleFormat::s16_le}, Kind{"sowt", 24, SampleFormat::s24_3le},
                           Kind{"fl32", 32, SampleFormat::f32_be}, Kind{"FL32", 16, SampleFormat::f32_be},
                           Kind{"fl64", 64, SampleFormat::f64_be}, Kind{"in24", 16, SampleFormat::s24_3be},
                           Kind{"in32", 32, SampleFormat::s32_be}, Kind{"23ni", 32, SampleFormat::s32_le},
                           Kind{"raw ", 8, SampleFormat::u8}}) {
    SCOPED_TRACE(kind.name);
    const AudioBytes samples = ramp(kind.format);
    expect_samples(aifc(kind.name, kind.bits, samples), kind.format, 1000, samples);
    EXPECT_EQ(opened(aifc(kind.name, kind.bits, samples)).container, "aifc");
  }
}

TEST(Aiff, FrameCountOfZeroGivesWayToTheSamples) {
  const AudioBytes samples = ramp(SampleFormat::s16_be);
  AudioBytes chunks;
  chunks.chunk_be("COMM", comm(16, 0)).chunk_be("SSND", ssnd(samples));
  expect_samples(aiff(chunks), SampleFormat::s16_be, 1000, samples);
}

TEST(Aiff, ChunksMayStandInAnyOrderAndSamplesHaveAnOffset) {
  const AudioBytes samples = ramp(SampleFormat::s16_be);
  AudioBytes shifted;
  shifted.be(4, 12).be(4, 0).zeros(12).add(samples);
  AudioBytes chunks;
  chunks.chunk_be("SSND", shifted).chunk_be("COMM", comm(16, 1000));
  const AudioBytes file = aiff(chunks);
  expect_samples(file, SampleFormat::s16_be, 1000, samples);
  EXPECT_EQ(opened(file).data_offset, 12 + 8 + 8 + 12);
}

TEST(Aiff, TheSmallerOfTwoLengthsIsPlayed) {
  const AudioBytes samples = ramp(SampleFormat::s16_be);
  AudioBytes chunks;
  chunks.chunk_be("COMM", comm(16, 400)).chunk_be("SSND", ssnd(samples));
  EXPECT_EQ(opened(aiff(chunks)).frames, 400);
  EXPECT_FALSE(opened(aiff(chunks)).short_input);
  EXPECT_TRUE(has_warning(opened(aiff(chunks)), "says 400 frames, the SSND chunk has 1000"));
  AudioBytes too_many;
  too_many.chunk_be("COMM", comm(16, 1200)).chunk_be("SSND", ssnd(samples));
  const AudioFile file = opened(aiff(too_many));
  EXPECT_EQ(file.frames, 1000);
  EXPECT_TRUE(file.short_input);
  EXPECT_TRUE(has_warning(file, "1200 frames"));
}

TEST(Aiff, APadOrLessThanAFrameBeyondCommIsNoWarning) {
  AudioBytes chunks;
  chunks.chunk_be("COMM", comm(16, 1000)).chunk_be("SSND", ssnd(ramp(SampleFormat::s16_be)).zeros(2));
  EXPECT_TRUE(opened(aiff(chunks)).warnings.empty());
}

TEST(Aiff, MoreBitsThanANamedWidthHasAreRefused) {
  const AudioBytes samples = AudioBytes{}.zeros(4800);
  EXPECT_TRUE(contains(refusal_of(aifc("raw ", 16, samples)).what,
                       "'raw ' samples have 8 bits at the most, its sample size says 16"));
  EXPECT_TRUE(contains(refusal_of(aifc("in24", 32, samples)).what, "'in24' samples have 24 bits"));
}

TEST(Aiff, ASoundChunkWithoutRoomForItsHeaderIsNamed) {
  AudioBytes chunks;
  chunks.chunk_be("COMM", comm(16, 1000)).text("SSND").be(4, 6).zeros(100);
  EXPECT_TRUE(contains(refusal_of(aiff(chunks)).what, "the SSND chunk says 6 bytes, its own header has 8"));
}

TEST(Aiff, BrokenFilesAreNamed) {
  const AudioBytes samples = ramp(SampleFormat::s16_be);
  EXPECT_TRUE(contains(refusal_of(aiff(AudioBytes{}.chunk_be("SSND", ssnd(samples)))).what, "no COMM"));
  EXPECT_TRUE(contains(refusal_of(aiff(AudioBytes{}.chunk_be("COMM", comm(16, 1000)))).what, "no SSND"));
  AudioBytes died;
  died.chunk_be("COMM", comm(16, 0)).text("SSND").be(4, 8).be(8, 0).add(samples);
  EXPECT_TRUE(contains(refusal_of(aiff(died)).remedy, "1000 frames"));
  EXPECT_EQ(opened(aiff(died), LengthRule::take_what_is_there).frames, 1000);
  EXPECT_TRUE(contains(refusal_of(aifc("Qclp", 16, samples)).what, "'Qclp'"));
}

TEST(Aiff, Ima4IsLeftToTheDecoder) {
  AudioBytes chunks;
  chunks.chunk_be("COMM", comm(16, 10, "ima4")).chunk_be("SSND", ssnd(AudioBytes{}.zeros(2 * 34 * 10)));
  const AudioFile file = opened(aiff(chunks, "AIFC"));
  EXPECT_TRUE(file.decoded());
  EXPECT_EQ(file.container, "aifc");
  EXPECT_EQ(file.frames, 640);
}

}  // namespace
}  // namespace xrunlab::test
