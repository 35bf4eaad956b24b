// What the header parsers say of every file of the field, and of files too long for 32 bits.

#include "tests/disk/field_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <set>
#include <stdexcept>

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test::field_files_tests {
namespace {

class FieldFileTest : public testing::TestWithParam<FieldFile> {
 protected:
  const FieldFile& wanted_ = GetParam();
};

void expect_samples_in_place(const AudioFile& file, const FieldFile& wanted, Frames frames) {
  EXPECT_EQ(file.frames, frames);
  ASSERT_EQ(file.data_bytes, frames * file.frame_bytes());
  ASSERT_LE(file.data_offset + file.data_bytes, file.file_bytes);
  const AudioBytes samples = ramp(wanted.format, frames, wanted.channels);
  EXPECT_EQ(wanted.bytes.bytes().compare(static_cast<std::size_t>(file.data_offset),
                                         static_cast<std::size_t>(file.data_bytes), samples.bytes()),
            0);
}

TEST_P(FieldFileTest, IsPlayedExactlyOrRefused) {
  if (wanted_.frames == 0) {
    const Refusal refusal = refusal_of(wanted_.bytes);
    EXPECT_TRUE(contains(refusal.what, wanted_.text)) << refusal.what;
    EXPECT_TRUE(contains(refusal.remedy, wanted_.remedy)) << refusal.remedy;
    EXPECT_FALSE(refusal.remedy.empty()) << refusal.what;
    return;
  }
  const AudioFile file = opened(wanted_.bytes);
  ASSERT_TRUE(file.raw_format.has_value());
  EXPECT_EQ(to_string(*file.raw_format), to_string(wanted_.format));
  EXPECT_EQ(file.channels, wanted_.channels);
  EXPECT_EQ(file.rate.hz, wanted_.rate);
  EXPECT_TRUE(file.frames_known);
  EXPECT_EQ(file.valid_bits, wanted_.valid_bits != 0 ? wanted_.valid_bits : significant_bits(wanted_.format));
  if (wanted_.offset >= 0) {
    EXPECT_EQ(file.data_offset, wanted_.offset);
  }
  expect_samples_in_place(file, wanted_, wanted_.frames);
  EXPECT_EQ(file.warnings.size(), wanted_.text.empty() ? 0U : 1U);
  EXPECT_TRUE(wanted_.text.empty() || has_warning(file, wanted_.text));
  EXPECT_EQ(file.short_input, contains(wanted_.text, "are there"));
}

TEST_P(FieldFileTest, IgnoringItsLengthPlaysWhatIsThere) {
  const Frames frames = wanted_.ignoring != 0 ? wanted_.ignoring : wanted_.frames;
  if (frames == 0) {
    EXPECT_THROW(opened(wanted_.bytes, LengthRule::take_what_is_there), Error);
    return;
  }
  expect_samples_in_place(opened(wanted_.bytes, LengthRule::take_what_is_there), wanted_, frames);
}

INSTANTIATE_TEST_SUITE_P(, FieldFileTest, testing::ValuesIn(field_files()),
                         [](const testing::TestParamInfo<FieldFile>& wanted) {
                           std::string name = wanted.param.name;
                           for (char& letter : name) {
                             if (letter == '-' || letter == '.') letter = '_';
                           }
                           return name;
                         });

TEST(FieldFiles, EachReasonToRefuseHasATextOfItsOwn) {
  std::set<std::string> texts;
  std::size_t broken = 0;
  std::vector<FieldFile> files;
  add_broken_waves(files);
  for (const FieldFile& file : files) {
    texts.insert(refusal_of(file.bytes).what);
    ++broken;
  }
  EXPECT_EQ(texts.size(), broken);
}

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// A header, and a file of this many bytes behind it without any on the disk; `behind` stands at its end.
struct SparseFile {
  AudioBytes header;
  std::uint64_t bytes = 0;
  AudioBytes behind = {};
};

class SparseFiles : public testing::Test {
 protected:
  AudioFile opened(const SparseFile& sparse, LengthRule rule = LengthRule::believe_header) {
    const auto path = directory_.write("long", sparse.header);
    const auto end = static_cast<off_t>(sparse.header.size() + sparse.bytes);
    if (::truncate(path.c_str(), end) != 0) throw std::runtime_error("truncate");
    std::ofstream out(path, std::ios::binary | std::ios::in | std::ios::ate);
    out << sparse.behind.bytes();
    out.close();
    return open_audio_file(path, rule);
  }

  void SetUp() override {
    const auto path = directory_.write("probe", {});
    if (::truncate(path.c_str(), static_cast<off_t>(5 * kGiB)) != 0) {
      GTEST_SKIP() << "no sparse file of 5 GiB in " << directory_.path() << ": " << errno_text(errno);
    }
  }

  TemporaryDirectory directory_;
};

AudioBytes long_wav(std::uint64_t bytes) {
  return wav_of_sizes(static_cast<std::uint32_t>(bytes + 36), static_cast<std::uint32_t>(bytes), {});
}

AudioBytes long_aiff(std::uint64_t bytes) {
  AudioBytes chunks;
  chunks.chunk_be("COMM", comm(16, static_cast<std::uint32_t>(bytes / 4)));
  return aiff(chunks.text("SSND").be(4, static_cast<std::uint32_t>(bytes + 8)).be(8, 0));
}

TEST_F(SparseFiles, WrappedSizesWarnAndGiveWayOnlyWhenTold) {
  for (const AudioBytes& header : {long_wav(5 * kGiB), long_aiff(5 * kGiB)}) {
    const AudioFile believed = opened({header, 5 * kGiB});
    EXPECT_EQ(believed.frames, 268'435'456);
    ASSERT_EQ(believed.warnings.size(), 1U);
    EXPECT_TRUE(has_warning(believed, "1073741824 bytes, 5368709120 are there")) << believed.warnings[0];
    EXPECT_TRUE(has_warning(believed, "--ignore-length plays all 1342177280 frames"));
    EXPECT_FALSE(believed.short_input);
    const AudioFile all = opened({header, 5 * kGiB}, LengthRule::take_what_is_there);
    EXPECT_EQ(all.frames, 1'342'177'280);
    EXPECT_TRUE(all.warnings.empty());
  }
}

TEST_F(SparseFiles, ChunksBehindAWrappedSizeAreNotPlayed) {
  const SparseFile sparse{long_wav(5 * kGiB), 5 * kGiB, list_info()};
  EXPECT_TRUE(has_warning(opened(sparse), "all 1342177280 frames"));
  EXPECT_EQ(opened(sparse, LengthRule::take_what_is_there).frames, 1'342'177'280);
}

TEST_F(SparseFiles, LengthsAboveTwoGiBAreTakenAsTheyStand) {
  const AudioFile plain = opened({long_wav(3 * kGiB), 3 * kGiB});
  EXPECT_EQ(plain.frames, 805'306'368);
  EXPECT_TRUE(plain.warnings.empty());
  const AudioFile in_64_bits = opened({rf64({}, {}, 5 * kGiB), 5 * kGiB});
  EXPECT_EQ(in_64_bits.frames, 1'342'177'280);
  EXPECT_EQ(in_64_bits.data_offset, 80);
  EXPECT_TRUE(in_64_bits.warnings.empty());
}

TEST_F(SparseFiles, PipesMayHaveWrittenMoreThanTheirSizeSays) {
  EXPECT_EQ(opened({wav_of_sizes(0x7ffff024, 0x7ffff000, {}), 3 * kGiB}).frames, 805'306'368);
  EXPECT_EQ(opened({wav_of_sizes(0xffffffff, 0xffffffff, {}), 5 * kGiB}).frames, 1'342'177'280);
}

}  // namespace
}  // namespace xrunlab::test::field_files_tests
