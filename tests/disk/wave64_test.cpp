#include "xrunlab/disk/wave64.hpp"

#include <sndfile.h>

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

const AudioBytes kWave64Samples = ramp(SampleFormat::s16_le);

TEST(Wave64, SamplesAreFoundBehindOtherChunks) {
  const AudioBytes plain =
      w64(AudioBytes{}.add(w64_chunk("fmt ", fmt16())).add(w64_chunk("data", kWave64Samples)));
  expect_samples(plain, SampleFormat::s16_le, 1000, kWave64Samples);
  EXPECT_EQ(opened(plain).container, "w64");
  EXPECT_EQ(opened(plain).data_offset, 40 + 40 + 24);

  AudioBytes chunks;
  chunks.add(w64_chunk("fmt ", fmt18())).add(w64_chunk("bext", AudioBytes{}.zeros(611)));
  chunks.add(w64_chunk("data", kWave64Samples)).add(w64_chunk("list", AudioBytes{}.zeros(40)));
  expect_samples(w64(chunks), SampleFormat::s16_le, 1000, kWave64Samples);
}

TEST(Wave64, PaddingBehindTheSamplesIsNotPlayed) {
  AudioBytes shorter;
  shorter.text(kWave64Samples.bytes().substr(0, 3996));
  const AudioBytes file = w64(AudioBytes{}.add(w64_chunk("fmt ", fmt16())).add(w64_chunk("data", shorter)));
  ASSERT_EQ(file.size(), 40U + 40 + 24 + 4000);
  expect_samples(file, SampleFormat::s16_le, 999, shorter);
  EXPECT_TRUE(opened(file).warnings.empty());
}

TEST(Wave64, SizesOfZeroAreAnUnfinishedRecording) {
  AudioBytes died;
  died.add(w64_guid("riff")).le(8, 0).add(w64_guid("wave")).add(w64_chunk("fmt ", fmt16()));
  died.add(w64_guid("data")).le(8, 0).add(kWave64Samples);
  const Refusal refusal = refusal_of(died);
  EXPECT_TRUE(contains(refusal.what, "not finished")) << refusal.what;
  EXPECT_TRUE(contains(refusal.remedy, "1000 frames")) << refusal.remedy;
  EXPECT_EQ(opened(died, LengthRule::take_what_is_there).frames, 1000);
}

TEST(Wave64, ReadsWhatLibsndfileWrites) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "written.w64";
  SF_INFO info{};
  info.samplerate = 96000;
  info.channels = 3;
  info.format = SF_FORMAT_W64 | SF_FORMAT_PCM_24;
  SNDFILE* out = sf_open(path.c_str(), SFM_WRITE, &info);
  ASSERT_NE(out, nullptr) << sf_strerror(nullptr);
  const std::vector<int> samples(3 * 500, 0x12345600);
  EXPECT_EQ(sf_writef_int(out, samples.data(), 500), 500);
  sf_close(out);
  const AudioFile file = open_audio_file(path);
  EXPECT_EQ(file.raw_format, SampleFormat::s24_3le);
  EXPECT_EQ(file.channels, 3);
  EXPECT_EQ(file.rate, SampleRate{96000});
  EXPECT_EQ(file.frames, 500);
}

TEST(Wave64, BrokenChunksAreNamed) {
  AudioBytes chunks;
  chunks.add(w64_guid("bext")).le(8, 1 << 30).zeros(64);
  EXPECT_TRUE(contains(refusal_of(w64(chunks)).what, "bext chunk claims"));
  const AudioBytes reversed =
      w64(AudioBytes{}.add(w64_chunk("data", kWave64Samples)).add(w64_chunk("fmt ", fmt16())));
  EXPECT_TRUE(contains(refusal_of(reversed).what, "before the fmt chunk"));
}

}  // namespace
}  // namespace xrunlab::test
