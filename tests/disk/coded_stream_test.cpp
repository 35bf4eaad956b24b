#include "xrunlab/disk/coded_stream.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/disk/audio_bytes.hpp"
#include "tests/disk/written_by_libsndfile.hpp"

namespace xrunlab::test {
namespace {

constexpr Frames kStreamFrames = 60'000;

/// The bytes of a file from an offset on, handed out in odd sizes; now and then it has none.
class OddChunks final : public CodedBytes {
 public:
  OddChunks(std::string bytes, int dry_every) : bytes_(std::move(bytes)), dry_every_(dry_every) {}

  Bytes read(std::byte* out, Bytes size) noexcept override {
    ++calls_;
    if (dry_every_ != 0 && calls_ % dry_every_ == 0) return 0;
    const Bytes left = static_cast<Bytes>(bytes_.size()) - position_;
    const Bytes count = std::min({size, left, 1 + (calls_ * 37) % 1000});
    std::memcpy(out, bytes_.data() + position_, static_cast<std::size_t>(count));
    position_ += count;
    return count;
  }
  void skip(Bytes size) noexcept override { position_ += size; }

  Bytes position() const { return position_; }

 private:
  std::string bytes_;
  int dry_every_;
  Bytes position_ = 0;
  std::int64_t calls_ = 0;
};

std::string bytes_from(const std::filesystem::path& path, Bytes offset) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str().substr(static_cast<std::size_t>(offset));
}

std::vector<float> decoded_at_once(const std::filesystem::path& path) {
  SF_INFO info{};
  SNDFILE* file = sf_open(path.c_str(), SFM_READ, &info);
  std::vector<float> samples(static_cast<std::size_t>((kStreamFrames + 10'000) * info.channels));
  const sf_count_t got = sf_readf_float(file, samples.data(), kStreamFrames + 10'000);
  sf_close(file);
  samples.resize(static_cast<std::size_t>(got * info.channels));
  return samples;
}

std::vector<float> decoded_in_steps(CodedStream& stream, int channels, Frames step) {
  std::vector<float> samples;
  std::vector<float> part(static_cast<std::size_t>(step * channels));
  while (const Frames got = stream.read_float(part.data(), step)) {
    samples.insert(samples.end(), part.begin(), part.begin() + got * channels);
  }
  return samples;
}

class EveryCodec : public testing::TestWithParam<int> {
 protected:
  TemporaryDirectory directory_;
  std::filesystem::path path_ = write_coded(directory_.path() / "track", GetParam(), kStreamFrames);
};

TEST_P(EveryCodec, StreamedBytesGiveTheSameSamples) {
  const AudioFile file = open_audio_file(path_);
  CodedStream stream(file);
  const Bytes start = stream.streaming_offset();
  ASSERT_LT(start, file.file_bytes);
  OddChunks source(bytes_from(path_, start), 0);
  stream.start_streaming(source);
  const auto samples = decoded_in_steps(stream, file.channels, 777);
  const auto expected = decoded_at_once(path_);
  ASSERT_GE(expected.size(), static_cast<std::size_t>(kStreamFrames) * 2);
  EXPECT_TRUE(samples == expected);
  EXPECT_EQ(stream.position(), static_cast<Frames>(expected.size() / 2));
  EXPECT_EQ(stream.strayed_bytes(), 0);
  EXPECT_EQ(start + source.position(), file.file_bytes);
  EXPECT_EQ(stream.failure(), "");
}

TEST_P(EveryCodec, WhatTheSourceLacksComesFromTheFile) {
  const AudioFile file = open_audio_file(path_);
  CodedStream stream(file);
  OddChunks source(bytes_from(path_, stream.streaming_offset()), 5);
  stream.start_streaming(source);
  EXPECT_TRUE(decoded_in_steps(stream, file.channels, 1024) == decoded_at_once(path_));
  EXPECT_GT(stream.strayed_bytes(), 0);
}

TEST_P(EveryCodec, StreamsAgainAfterSeekingToTheStart) {
  const AudioFile file = open_audio_file(path_);
  CodedStream stream(file);
  OddChunks first(bytes_from(path_, stream.streaming_offset()), 0);
  stream.start_streaming(first);
  std::vector<float> part(2000);
  ASSERT_EQ(stream.read_float(part.data(), 1000), 1000);
  ASSERT_TRUE(stream.seek(0));
  EXPECT_EQ(stream.position(), 0);
  OddChunks second(bytes_from(path_, stream.streaming_offset()), 0);
  stream.start_streaming(second);
  EXPECT_EQ(decoded_in_steps(stream, file.channels, 1024).size(), decoded_at_once(path_).size());
}

INSTANTIATE_TEST_SUITE_P(, EveryCodec,
                         testing::Values(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_24,
                                         SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS,
                                         SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III,
                                         SF_FORMAT_WAV | SF_FORMAT_ULAW, SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM),
                         [](const auto& test) { return format_name(test.param); });

}  // namespace
}  // namespace xrunlab::test
