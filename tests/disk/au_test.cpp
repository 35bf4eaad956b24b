#include "xrunlab/disk/au.hpp"

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

TEST(Au, EncodingTellsTheFormat) {
  struct Kind {
    unsigned encoding;
    SampleFormat format;
  };
  for (const Kind& kind :
       {Kind{2, SampleFormat::s8}, Kind{3, SampleFormat::s16_be}, Kind{4, SampleFormat::s24_3be},
        Kind{5, SampleFormat::s32_be}, Kind{6, SampleFormat::f32_be}, Kind{7, SampleFormat::f64_be}}) {
    SCOPED_TRACE(kind.encoding);
    const AudioBytes samples = ramp(kind.format);
    const auto size = static_cast<std::uint32_t>(samples.size());
    expect_samples(au(size, kind.encoding, samples), kind.format, 1000, samples);
    EXPECT_EQ(opened(au(size, kind.encoding, samples)).data_offset, 28);
  }
}

TEST(Au, UnknownSizeGoesToTheEndOfTheFile) {
  const AudioBytes samples = ramp(SampleFormat::s16_be);
  expect_samples(au(0xffffffff, 3, samples), SampleFormat::s16_be, 1000, samples);
  EXPECT_TRUE(opened(au(0xffffffff, 3, samples)).warnings.empty());
}

TEST(Au, LittleEndianVariant) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  AudioBytes file;
  file.text("dns.").le(4, 24).le(4, samples.size()).le(4, 3).le(4, 48000).le(4, 2).add(samples);
  expect_samples(file, SampleFormat::s16_le, 1000, samples);
}

TEST(Au, MuLawIsLeftToTheDecoder) {
  const AudioFile file = opened(au(2000, 1, AudioBytes{}.zeros(2000)));
  EXPECT_TRUE(file.decoded());
  EXPECT_EQ(file.container, "au");
  EXPECT_EQ(file.frames, 1000);
}

TEST(Au, BrokenFilesAreNamed) {
  const AudioBytes samples = ramp(SampleFormat::s16_be);
  EXPECT_TRUE(contains(refusal_of(au(0, 3, samples)).remedy, "1000 frames"));
  AudioBytes behind_the_end;
  behind_the_end.text(".snd").be(4, 9999).be(4, 100).be(4, 3).be(4, 48000).be(4, 2);
  EXPECT_TRUE(contains(refusal_of(behind_the_end).what, "byte 9999 of 24"));
  const AudioFile cut = opened(au(8000, 3, samples));
  EXPECT_EQ(cut.frames, 1000);
  EXPECT_TRUE(cut.short_input);
}

}  // namespace
}  // namespace xrunlab::test
