// WAV files whose samples are coded: through the decoder, with the samples that libsndfile gives.
#include <gtest/gtest.h>

#include "tests/disk/audio_bytes.hpp"
#include "tests/disk/coded_chain.hpp"
#include "tests/disk/written_by_libsndfile.hpp"
#include "xrunlab/disk/coded_file.hpp"

namespace xrunlab::test {
namespace {

struct CodedWave {
  int subtype;
  const char* codec;
  int container = SF_FORMAT_WAV;
};

void PrintTo(const CodedWave& wave, std::ostream* out) {
  *out << wave.codec;
}

class CodedWaveTest : public testing::TestWithParam<CodedWave> {};

TEST_P(CodedWaveTest, IsDecodedSampleExact) {
  const TemporaryDirectory directory;
  const auto path =
      write_coded(directory.path() / "track.wav", GetParam().container | GetParam().subtype, 20'000);
  const AudioFile file = open_audio_file(path);
  EXPECT_TRUE(file.decoded());
  EXPECT_EQ(file.container, "wav");
  EXPECT_EQ(file.codec, GetParam().codec);
  EXPECT_EQ(file.channels, 2);
  EXPECT_EQ(file.rate.hz, 48'000u);
  FakeClock clock;
  CodedChain chain({path}, clock);
  const auto samples = chain.play(0);
  const auto expected = decoded_by_libsndfile(path);
  ASSERT_GE(expected.size(), 40'000u);
  EXPECT_EQ(file.frames, static_cast<Frames>(expected.size() / 2));
  EXPECT_TRUE(samples == expected);
  EXPECT_FALSE(chain.decoder->failure());
  EXPECT_TRUE(chain.decoder->warnings().empty());
}

INSTANTIATE_TEST_SUITE_P(, CodedWaveTest,
                         testing::Values(CodedWave{SF_FORMAT_ULAW, "U-Law"},
                                         CodedWave{SF_FORMAT_ALAW, "A-Law"},
                                         CodedWave{SF_FORMAT_ULAW, "U-Law", SF_FORMAT_WAVEX},
                                         CodedWave{SF_FORMAT_IMA_ADPCM, "IMA ADPCM"},
                                         CodedWave{SF_FORMAT_MS_ADPCM, "Microsoft ADPCM"}),
                         [](const auto& test) {
                           return format_name(test.param.container | test.param.subtype);
                         });

}  // namespace
}  // namespace xrunlab::test
