#include "xrunlab/disk/caf.hpp"

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

TEST(Caf, FlagsTellOrderAndKind) {
  struct Kind {
    unsigned flags;
    unsigned bits;
    SampleFormat format;
  };
  for (const Kind& kind :
       {Kind{2, 16, SampleFormat::s16_le}, Kind{0, 16, SampleFormat::s16_be},
        Kind{0, 24, SampleFormat::s24_3be}, Kind{2, 24, SampleFormat::s24_3le},
        Kind{3, 32, SampleFormat::f32_le}, Kind{1, 64, SampleFormat::f64_be}, Kind{0, 8, SampleFormat::s8}}) {
    SCOPED_TRACE(to_string(kind.format));
    const AudioBytes samples = ramp(kind.format);
    const AudioBytes file = caf_start(kind.flags, kind.bits).add(caf_data(samples));
    expect_samples(file, kind.format, 1000, samples);
    EXPECT_EQ(opened(file).container, "caf");
    EXPECT_EQ(opened(file).rate, SampleRate{48000});
  }
}

TEST(Caf, FreeChunkBeforeAndInfoBehindTheSamples) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  AudioBytes file = caf_start(2, 16).add(caf_chunk("free", AudioBytes{}.zeros(24'496)));
  file.add(caf_data(samples)).add(caf_chunk("info", AudioBytes{}.be(4, 0)));
  expect_samples(file, SampleFormat::s16_le, 1000, samples);
  EXPECT_EQ(opened(file).data_offset, 8 + 44 + 12 + 24'496 + 12 + 4);
}

TEST(Caf, UnknownSizeGoesToTheEndOfTheFile) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  const AudioBytes file = caf_start(2, 16).text("data").be(8, ~std::uint64_t{0}).be(4, 0).add(samples);
  expect_samples(file, SampleFormat::s16_le, 1000, samples);
}

TEST(Caf, BrokenFilesAreNamed) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  const AudioBytes died = caf_start(2, 16).text("data").be(8, 0).be(4, 0).add(samples);
  EXPECT_TRUE(contains(refusal_of(died).remedy, "1000 frames"));
  const AudioBytes no_desc = AudioBytes{}.text("caff").be(4, 0x10000).add(caf_data(samples));
  EXPECT_TRUE(contains(refusal_of(no_desc).what, "before the desc chunk"));
  const AudioBytes claims = caf_start(2, 16).text("free").be(8, 1 << 30).zeros(100);
  EXPECT_TRUE(contains(refusal_of(claims).what, "free chunk claims 1073741824 bytes, 100 left"));
  const AudioBytes negative = caf_start(2, 16).text("free").be(8, ~std::uint64_t{7}).zeros(100);
  EXPECT_TRUE(contains(refusal_of(negative).what, "free chunk claims"));
}

}  // namespace
}  // namespace xrunlab::test
