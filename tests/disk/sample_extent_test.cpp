#include "xrunlab/disk/sample_extent.hpp"

#include "tests/disk/field_waves.hpp"
#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

const AudioBytes kSamples = ramp(SampleFormat::s16_le);

TEST(OddWave, SamplesBehindTheDataChunkAreWarnedOfAndPlayedOnRequest) {
  const AudioBytes more = ramp(SampleFormat::s16_le, 100);
  const AudioBytes died = wav_of_sizes(36 + 4000, 4000, AudioBytes{}.add(kSamples).add(more));
  const AudioFile file = opened(died);
  EXPECT_EQ(file.frames, 1000);
  EXPECT_TRUE(has_warning(file,
                          "400 bytes behind the samples are no chunk (recorder died? --ignore-length plays "
                          "1100 frames)"));
  EXPECT_EQ(opened(died, LengthRule::take_what_is_there).frames, 1100);
  const AudioFile in_64_bits = opened(rf64(AudioBytes{}.add(kSamples).add(more), {}, 4000));
  EXPECT_EQ(in_64_bits.frames, 1000);
  EXPECT_TRUE(has_warning(in_64_bits, "400 bytes behind the samples"));
}

TEST(OddWave, ChunksAndAFewBytesBehindTheSamplesAreNoWarning) {
  for (const AudioBytes& behind : {list_info(), AudioBytes{}.zeros(8), cut(list_info(), 15),
                                   AudioBytes{}.zeros(500), AudioBytes{}.text("written by a tool, 2011\n")}) {
    const AudioBytes bytes = wav_of_sizes(36 + 4000, 4000, AudioBytes{}.add(kSamples).add(behind));
    EXPECT_TRUE(opened(bytes).warnings.empty());
    EXPECT_EQ(opened(bytes, LengthRule::take_what_is_there).frames, 1000);
  }
}

TEST(OddWave, RiffWithALengthIn64BitsTakesIt) {
  const AudioBytes bytes = rf64(kSamples, list_info(), 0, "RIFF");
  EXPECT_EQ(opened(bytes).frames, 1000);
  EXPECT_EQ(opened(bytes).container, "wav");
  EXPECT_TRUE(opened(bytes).warnings.empty());
}

/// 16 bits, two channels, `align` bytes a frame.
AudioBytes wide_fmt(unsigned align, unsigned byte_rate) {
  return AudioBytes{}.le(2, 1).le(2, 2).le(4, 48000).le(4, byte_rate).le(2, align).le(2, 16);
}

TEST(OddWave, AWiderBlockInAPlainHeaderIsWarnedOf) {
  const AudioFile wide = opened(wav(wide_fmt(8, 48000 * 8), kSamples));
  EXPECT_EQ(wide.raw_format, SampleFormat::s32_le);
  EXPECT_TRUE(has_warning(wide, "16 bits in 4 bytes by the block size and the byte rate"));
  const AudioFile three = opened(wav(wide_fmt(6, 48000 * 6), kSamples));
  EXPECT_EQ(three.raw_format, SampleFormat::s24_3le);
  EXPECT_TRUE(has_warning(three, "16 bits in 3 bytes"));
  for (const unsigned align : {6U, 8U}) {
    const AudioFile narrow = opened(wav(wide_fmt(align, 48000 * 4), kSamples));
    EXPECT_EQ(narrow.raw_format, SampleFormat::s16_le);
    EXPECT_TRUE(has_warning(narrow, "need 4: these are taken"));
  }
}

TEST(OddWave, MessagesNameWhatIsThere) {
  EXPECT_TRUE(contains(refusal_of(riff({}, "RF64")).what, "only the start of an RF64 header"));
  const AudioBytes wavl = AudioBytes{}.text("wavl").chunk_le("data", kSamples);
  EXPECT_TRUE(contains(refusal_of(riff(AudioBytes{}.chunk_le("fmt ", fmt16()).chunk_le("LIST", wavl))).what,
                       "samples in a wavl list are not supported"));
  EXPECT_TRUE(contains(refusal_of(AudioBytes{}.text("fLaC").zeros(10)).what, "a FLAC header cut off"));
  EXPECT_TRUE(contains(refusal_of(AudioBytes{}.text("OggS").zeros(40)).what, "an Ogg header cut off"));
}

}  // namespace
}  // namespace xrunlab::test
