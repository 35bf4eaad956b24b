// From bytes in a file to numbers: header and conversion together, against the samples that were put there
// and against what libsndfile reads.

#include <gtest/gtest.h>
#include <sndfile.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/disk/field_files.hpp"
#include "xrunlab/audio/convert.hpp"
#include "xrunlab/disk/audio_file.hpp"

namespace xrunlab::test::file_samples_tests {
namespace {

/// The bytes of a file's samples.
std::vector<std::byte> sample_bytes_of(const AudioFile& file) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.data_bytes));
  std::ifstream in(file.path, std::ios::binary);
  in.seekg(file.data_offset);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
    throw std::runtime_error(file.path.string() + " is too short");
  }
  return bytes;
}

std::size_t sample_count(const AudioFile& file) {
  return static_cast<std::size_t>(file.frames * file.channels);
}

std::vector<std::int32_t> as_int32(const AudioFile& file) {
  std::vector<std::int32_t> samples(sample_count(file));
  to_int32(*file.raw_format, sample_bytes_of(file).data(), samples.size(), samples.data());
  return samples;
}

std::vector<float> as_float(const AudioFile& file) {
  std::vector<float> samples(sample_count(file));
  to_float(*file.raw_format, sample_bytes_of(file).data(), samples.size(), samples.data());
  return samples;
}

TEST(FileSamples, EveryFileOfTheFieldGivesTheSamplesThatWerePutThere) {
  const TemporaryDirectory directory;
  for (const FieldFile& wanted : field_files()) {
    if (wanted.frames == 0) continue;
    SCOPED_TRACE(wanted.name);
    const AudioFile file = open_audio_file(directory.write(wanted.name, wanted.bytes));
    const auto integers = as_int32(file);
    const auto floats = as_float(file);
    const bool eight_bits = bytes_per_sample(wanted.format) == 1;
    for (std::size_t index = 0; index < integers.size(); ++index) {
      const auto channels = static_cast<std::size_t>(wanted.channels);
      const int sample =
          sample_at(static_cast<std::int64_t>(index / channels), static_cast<int>(index % channels));
      const int kept = eight_bits ? sample & ~0xff : sample;
      ASSERT_EQ(integers[index], kept * 65536) << index;
      ASSERT_EQ(floats[index], static_cast<float>(kept) / 32768.0F) << index;
    }
  }
}

TEST(FileSamples, TwentyFourBitSamplesStandOnTheCardAsAlsaWantsThem) {
  const TemporaryDirectory directory;
  const AudioBytes sample = AudioBytes{}.le(3, 0x123456);
  const AudioFile file =
      open_audio_file(directory.write("24.wav", wav(fmt16(wave_format(1, 1, 24)), sample)));
  const auto integers = as_int32(file);
  const auto floats = as_float(file);
  const auto on_card = [&](SampleFormat format, auto convert) {
    std::string bytes(static_cast<std::size_t>(bytes_per_sample(format)), '\0');
    convert(format, reinterpret_cast<std::byte*>(bytes.data()));
    return bytes;
  };
  const auto through_int32 = [&](SampleFormat format, std::byte* out) {
    from_int32(format, integers.data(), 1, out);
  };
  const auto through_float = [&](SampleFormat format, std::byte* out) {
    from_float(format, floats.data(), 1, out);
  };
  using std::string_literals::operator""s;
  EXPECT_EQ(on_card(SampleFormat::s24_3le, through_int32), "\x56\x34\x12"s);
  EXPECT_EQ(on_card(SampleFormat::s24_le, through_int32), "\x56\x34\x12\x00"s);
  EXPECT_EQ(on_card(SampleFormat::s32_le, through_int32), "\x00\x56\x34\x12"s);
  EXPECT_EQ(on_card(SampleFormat::s24_3le, through_float), "\x56\x34\x12"s);
  EXPECT_EQ(on_card(SampleFormat::s24_le, through_float), "\x56\x34\x12\x00"s);
  EXPECT_EQ(on_card(SampleFormat::s32_le, through_float), "\x00\x56\x34\x12"s);
}

TEST(FileSamples, FloatsBeyondOneAreLimitedAndCounted) {
  const TemporaryDirectory directory;
  AudioBytes samples;
  for (const float value : {0.5F, -1.0F, 1.5F, -2.0F}) samples.le(4, std::bit_cast<std::uint32_t>(value));
  const AudioFile file =
      open_audio_file(directory.write("over.wav", wav(fmt18(wave_format(3, 1, 32)), samples)));
  const auto floats = as_float(file);
  ASSERT_EQ(floats, (std::vector<float>{0.5F, -1.0F, 1.5F, -2.0F}));
  std::vector<std::int32_t> card(4);
  EXPECT_EQ(from_float(SampleFormat::s32_le, floats.data(), 4, reinterpret_cast<std::byte*>(card.data())),
            2U);
  EXPECT_EQ(card, (std::vector<std::int32_t>{1 << 30, INT32_MIN, INT32_MAX, INT32_MIN}));
}

// ---- against libsndfile ----

struct Container {
  const char* name;
  int format;
  std::vector<int> subtypes;
  std::vector<int> orders;
};

std::vector<Container> containers() {
  const std::vector<int> wide{SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
                              SF_FORMAT_DOUBLE};
  const auto with = [&wide](int eight_bits) {
    std::vector<int> all = wide;
    all.push_back(eight_bits);
    return all;
  };
  const std::vector<int> either{SF_ENDIAN_LITTLE, SF_ENDIAN_BIG};
  const std::vector<int> usual{SF_ENDIAN_FILE};
  return {{"wav", SF_FORMAT_WAV, with(SF_FORMAT_PCM_U8), either},
          {"wavex", SF_FORMAT_WAVEX, with(SF_FORMAT_PCM_U8), usual},
          {"rf64", SF_FORMAT_RF64, with(SF_FORMAT_PCM_U8), usual},
          {"w64", SF_FORMAT_W64, with(SF_FORMAT_PCM_U8), usual},
          {"aiff", SF_FORMAT_AIFF, with(SF_FORMAT_PCM_S8), either},
          {"caf", SF_FORMAT_CAF, with(SF_FORMAT_PCM_S8), either},
          {"au", SF_FORMAT_AU, with(SF_FORMAT_PCM_S8), either}};
}

/// A file of random samples, within full scale, with titles and comments where the container has them.
void write_by_libsndfile(const std::filesystem::path& path, SF_INFO info, Frames frames,
                         std::mt19937& random) {
  SNDFILE* const file = sf_open(path.c_str(), SFM_WRITE, &info);
  ASSERT_NE(file, nullptr) << sf_strerror(nullptr);
  sf_set_string(file, SF_STR_TITLE, "an odd title");
  std::vector<double> samples(static_cast<std::size_t>(frames * info.channels));
  std::uniform_real_distribution<double> within(-1, 1);
  for (double& sample : samples) sample = within(random);
  EXPECT_EQ(sf_writef_double(file, samples.data(), frames), frames);
  sf_set_string(file, SF_STR_COMMENT, "behind the samples");
  sf_close(file);
}

template <typename Sample, typename Read>
std::vector<Sample> read_by_libsndfile(const std::filesystem::path& path, Read read) {
  SF_INFO info{};
  SNDFILE* const file = sf_open(path.c_str(), SFM_READ, &info);
  std::vector<Sample> samples(static_cast<std::size_t>((info.frames + 10) * info.channels));
  const sf_count_t got = read(file, samples.data(), info.frames + 10);
  sf_close(file);
  samples.resize(static_cast<std::size_t>(got * info.channels));
  return samples;
}

void expect_as_libsndfile(const std::filesystem::path& path, const SF_INFO& info, Frames frames) {
  const AudioFile file = open_audio_file(path);
  ASSERT_TRUE(file.raw_format.has_value());
  EXPECT_EQ(file.channels, info.channels);
  EXPECT_EQ(static_cast<int>(file.rate.hz), info.samplerate);
  EXPECT_EQ(file.frames, frames);
  EXPECT_TRUE(file.warnings.empty()) << file.warnings.front();
  EXPECT_TRUE(as_float(file) == read_by_libsndfile<float>(path, sf_readf_float));
  if (!is_float(*file.raw_format)) {
    EXPECT_TRUE(as_int32(file) == read_by_libsndfile<int>(path, sf_readf_int));
  }
}

TEST(FileSamples, AreThoseThatLibsndfileReads) {
  const TemporaryDirectory directory;
  std::mt19937 random(2000);
  for (const Container& container : containers()) {
    for (const int subtype : container.subtypes) {
      for (const int order : container.orders) {
        SF_INFO info{};
        info.format = container.format | subtype | order;
        info.channels = 1 + static_cast<int>(random() % 5);
        info.samplerate = static_cast<int>(std::vector{8000, 44100, 48000, 192000}[random() % 4]);
        if (sf_format_check(&info) == 0) continue;  // no such container of this order
        // W64: libsndfile plays the padding behind samples that do not end on a multiple of 8 bytes.
        const Frames frames = container.format == SF_FORMAT_W64 ? 800 : 501 + random() % 500;
        SCOPED_TRACE(std::string(container.name) + " " + std::to_string(info.format) + ", " +
                     std::to_string(info.channels) + " channels");
        const auto path = directory.path() / container.name;
        write_by_libsndfile(path, info, frames, random);
        expect_as_libsndfile(path, info, frames);
      }
    }
  }
}

}  // namespace
}  // namespace xrunlab::test::file_samples_tests
