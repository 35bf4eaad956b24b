#include "xrunlab/disk/track_decoder.hpp"

#include <gtest/gtest.h>

#include "tests/disk/coded_chain.hpp"
#include "tests/disk/field_waves.hpp"
#include "tests/disk/flac_bytes.hpp"
#include "tests/disk/written_by_libsndfile.hpp"

namespace xrunlab::test {
namespace {

class TrackDecoderTest : public testing::Test {
 protected:
  TemporaryDirectory directory_;
  FakeClock clock_;
};

TEST_F(TrackDecoderTest, CutFlacPlaysItsWholeFramesAndSaysWhereItEnded) {
  for (const std::size_t size : {std::size_t{2000}, kFlacHeaderBytes + kFlacFrameBytes}) {
    const auto path = directory_.write("cut.flac", cut(flac(1024), size));
    CodedChain chain({path}, clock_);
    const auto samples = chain.play(0);
    ASSERT_EQ(samples.size(), 512U) << size;
    for (std::size_t index = 0; index < samples.size(); ++index) {
      const int sample = sample_at(static_cast<std::int64_t>(index / 2), static_cast<int>(index % 2));
      ASSERT_EQ(samples[index], static_cast<float>(sample) / 32768.0F) << index;
    }
    EXPECT_EQ(chain.played[0].fill().end, RingEnd::finished);
    EXPECT_FALSE(chain.decoder->failure());
    ASSERT_EQ(chain.decoder->warnings().size(), 1U);
    EXPECT_EQ(chain.decoder->warnings()[0], "cut.flac: ended at frame 256 of 1024");
  }
}

TEST_F(TrackDecoderTest, DamagedFlacFailsAlsoWhenAllItsFramesCome) {
  std::string bytes = flac(1024).bytes();
  bytes[kFlacHeaderBytes + kFlacFrameBytes + 500] ^= 0x55;
  CodedChain chain({directory_.write("damaged.flac", AudioBytes{}.text(bytes))}, clock_);
  chain.play(0);
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::failed);
  EXPECT_TRUE(chain.decoder->failure());
}

TEST_F(TrackDecoderTest, CutFlacFailsWhereThatWasAsked) {
  const auto path = directory_.write("cut.flac", cut(flac(1024), 2000));
  CodedChain chain({path}, clock_, {.odd_file = OddFile::fails});
  chain.play(0);
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::failed);
  ASSERT_TRUE(chain.decoder->failure());
  EXPECT_EQ(chain.decoder->failure()->text, "cut.flac: ended at frame 256 of 1024");
}

TEST_F(TrackDecoderTest, AnOggThatLacksAPageInItsMiddleIsWarnedOfAsDamaged) {
  const auto path = write_coded(directory_.path() / "holed.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 960'000);
  const std::string whole = content_of(path);
  const std::size_t hole = whole.find("OggS", whole.size() * 9 / 16 + 1000);  // not where opening looks
  const std::size_t behind = whole.find("OggS", hole + 4);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, hole) << whole.substr(behind);
  ASSERT_TRUE(open_audio_file(path).warnings.empty());
  CodedChain chain({path}, clock_);
  const auto frames = chain.play(0).size() / 2;
  EXPECT_LT(frames, 960'000U);
  ASSERT_EQ(chain.decoder->warnings().size(), 1U);
  EXPECT_EQ(chain.decoder->warnings()[0],
            "holed.ogg: ended at frame " + std::to_string(frames) +
                " of 960000: its last page is there, so some before it are missing or damaged");
}

TEST_F(TrackDecoderTest, FlacOfUnknownLengthPlaysToItsEnd) {
  const auto path = directory_.write("a.flac", flac(0));
  CodedChain chain({path}, clock_);
  EXPECT_EQ(chain.play(0).size(), 2048U);
  EXPECT_TRUE(chain.decoder->warnings().empty());
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::finished);
}

}  // namespace
}  // namespace xrunlab::test
