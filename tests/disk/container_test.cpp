#include "xrunlab/disk/container.hpp"

#include <gtest/gtest.h>
#include <sndfile.h>

#include <array>
#include <filesystem>
#include <string>

#include "xrunlab/disk/set_writer.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

/// Frames of a file as libsndfile reads them, in its left-aligned ints (or floats).
template <typename Sample>
std::vector<Sample> read_back(const fs::path& path, SF_INFO& info) {
  info = SF_INFO{};
  SNDFILE* const file = sf_open(path.c_str(), SFM_READ, &info);
  EXPECT_NE(file, nullptr) << path << ": " << sf_strerror(nullptr);
  if (file == nullptr) return {};
  std::vector<Sample> samples(static_cast<std::size_t>(info.frames * info.channels));
  sf_count_t frames = 0;
  if constexpr (std::is_same_v<Sample, float>) {
    frames = sf_readf_float(file, samples.data(), info.frames);
  } else {
    frames = sf_readf_int(file, samples.data(), info.frames);
  }
  EXPECT_EQ(frames, info.frames) << path;
  sf_close(file);
  return samples;
}

struct Kind {
  const char* container;
  SampleFormat format;
  int sndfile_format;
};

constexpr std::array<Kind, 23> kKinds{{
    {"wav", SampleFormat::u8, SF_FORMAT_WAV | SF_FORMAT_PCM_U8},
    {"wav", SampleFormat::s16_le, SF_FORMAT_WAV | SF_FORMAT_PCM_16},
    {"wav", SampleFormat::s24_3le, SF_FORMAT_WAV | SF_FORMAT_PCM_24},
    {"wav", SampleFormat::s32_le, SF_FORMAT_WAV | SF_FORMAT_PCM_32},
    {"wav", SampleFormat::f32_le, SF_FORMAT_WAV | SF_FORMAT_FLOAT},
    {"rf64", SampleFormat::u8, SF_FORMAT_RF64 | SF_FORMAT_PCM_U8},
    {"rf64", SampleFormat::s16_le, SF_FORMAT_RF64 | SF_FORMAT_PCM_16},
    {"rf64", SampleFormat::s24_3le, SF_FORMAT_RF64 | SF_FORMAT_PCM_24},
    {"rf64", SampleFormat::s32_le, SF_FORMAT_RF64 | SF_FORMAT_PCM_32},
    {"rf64", SampleFormat::f32_le, SF_FORMAT_RF64 | SF_FORMAT_FLOAT},
    {"w64", SampleFormat::u8, SF_FORMAT_W64 | SF_FORMAT_PCM_U8},
    {"w64", SampleFormat::s16_le, SF_FORMAT_W64 | SF_FORMAT_PCM_16},
    {"w64", SampleFormat::s24_3le, SF_FORMAT_W64 | SF_FORMAT_PCM_24},
    {"w64", SampleFormat::s32_le, SF_FORMAT_W64 | SF_FORMAT_PCM_32},
    {"w64", SampleFormat::f32_le, SF_FORMAT_W64 | SF_FORMAT_FLOAT},
    {"aiff", SampleFormat::u8, SF_FORMAT_AIFF | SF_FORMAT_PCM_S8},
    {"aiff", SampleFormat::s16_le, SF_FORMAT_AIFF | SF_FORMAT_PCM_16},
    {"aiff", SampleFormat::s24_3le, SF_FORMAT_AIFF | SF_FORMAT_PCM_24},
    {"aiff", SampleFormat::s32_le, SF_FORMAT_AIFF | SF_FORMAT_PCM_32},
    {"aiff", SampleFormat::f32_le, SF_FORMAT_AIFF | SF_FORMAT_FLOAT},
    {"flac", SampleFormat::u8, SF_FORMAT_FLAC | SF_FORMAT_PCM_S8},
    {"flac", SampleFormat::s16_le, SF_FORMAT_FLAC | SF_FORMAT_PCM_16},
    {"flac", SampleFormat::s24_3le, SF_FORMAT_FLAC | SF_FORMAT_PCM_24},
}};

TEST(Container, EachOneComesBackSampleExactFromLibsndfile) {
  for (const auto& kind : kKinds) {
    SCOPED_TRACE(std::string(kind.container) + " " + std::string(to_string(kind.format)));
    SetSpec spec;
    spec.rate = SampleRate{48000};
    spec.tracks = 2;
    spec.channels = 3;
    spec.duration =
        Nanoseconds{1'000'000'000 * std::int64_t{999} / 48000};  // an odd number of frames and bytes
    spec.signal = Signal::ramp;
    spec.container = kind.container;
    spec.format = kind.format;
    const TemporarySet set(fs::temp_directory_path(), spec);
    const auto& files = set.files();
    SF_INFO info;
    const int bits = is_float(kind.format) ? 24 : significant_bits(kind.format);
    std::vector<std::int32_t> integers;
    if (is_float(kind.format)) {
      for (const float sample : read_back<float>(files[1], info)) {
        integers.push_back(static_cast<std::int32_t>(sample * 0x1p23f));
      }
    } else {
      for (const int sample : read_back<int>(files[1], info)) integers.push_back(sample >> (32 - bits));
    }
    EXPECT_EQ(info.frames, 999);
    EXPECT_EQ(info.channels, 3);
    EXPECT_EQ(info.samplerate, 48000);
    EXPECT_EQ(info.format & (SF_FORMAT_TYPEMASK | SF_FORMAT_SUBMASK), kind.sndfile_format);
    for (std::size_t index = 0; index < integers.size(); ++index) {
      const auto lane = static_cast<std::int64_t>(3 + index % 3);
      ASSERT_EQ(integers[index], ramp_sample(bits, lane, static_cast<Frames>(index / 3))) << index;
    }
  }
}

TEST(Container, WavHeaderIsPlainPcmOf44Bytes) {
  const auto layout = lay_out_container("wav", SampleFormat::s24_3le, SampleRate{48000}, 1, 4800);
  std::string header;
  for (const auto byte : layout.header) header += static_cast<char>(byte);
  EXPECT_EQ(header, std::string("RIFF\x64\x38\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\xbb\x00\x00"
                                "\x80\x32\x02\x00\x03\x00\x18\x00"
                                "data\x40\x38\x00\x00",
                                44));
}

TEST(Container, OddDataIsPaddedButForW64) {
  for (const char* container : {"wav", "rf64", "aiff"}) {
    EXPECT_EQ(lay_out_container(container, SampleFormat::u8, SampleRate{48000}, 1, 99).trailer_bytes, 1);
    EXPECT_EQ(lay_out_container(container, SampleFormat::u8, SampleRate{48000}, 1, 98).trailer_bytes, 0);
  }
  EXPECT_EQ(lay_out_container("w64", SampleFormat::u8, SampleRate{48000}, 1, 99).trailer_bytes, 0);
}

}  // namespace
}  // namespace xrunlab
