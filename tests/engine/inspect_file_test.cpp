#include "xrunlab/engine/inspect_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "tests/disk/audio_bytes.hpp"
#include "tests/disk/written_by_libsndfile.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/coded_stream.hpp"
#include "xrunlab/disk/raw_ring_plan.hpp"
#include "xrunlab/platform/page_cache.hpp"

namespace xrunlab::test::inspect_file_tests {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

InspectRequest scanning() {
  InspectRequest request;
  request.parts.scan = true;
  return request;
}

test::AudioBytes plain_wav() {
  return test::wav(test::fmt16(), test::ramp(SampleFormat::s16_le));
}

/// A file that plays, but ends early: the header promises 1000 frames, 500 are there.
test::AudioBytes short_wav() {
  return test::AudioBytes{}.text(plain_wav().bytes().substr(0, 2044));
}

test::AudioBytes float_wav(std::initializer_list<float> samples) {
  test::AudioBytes body;
  for (const float sample : samples) body.le(4, std::bit_cast<std::uint32_t>(sample));
  return test::wav(test::fmt18({.tag = 3, .channels = 1, .bits = 32}), body);
}

class InspectFile : public testing::Test {
 protected:
  fs::path write(const std::string& name, const test::AudioBytes& bytes) const {
    return directory_.write(name, bytes);
  }
  FileScan scanned(const fs::path& path) const {
    const auto found = inspect_file(path, scanning());
    EXPECT_EQ(found.error, "");
    EXPECT_TRUE(found.scan.has_value());
    return found.scan.value_or(FileScan{});
  }
  test::TemporaryDirectory directory_;
};

TEST_F(InspectFile, FindsWhatThePlayerWouldPlay) {
  const auto path = write("a.wav", plain_wav());
  const auto found = inspect_file(path, {});
  EXPECT_EQ(found.path, path.string());
  EXPECT_EQ(found.name, "a.wav");
  EXPECT_EQ(found.container, "wav");
  EXPECT_EQ(found.format, "S16_LE");
  EXPECT_EQ(found.rate_hz, 48000);
  EXPECT_EQ(found.channels, 2);
  EXPECT_EQ(found.frames, 1000);
  EXPECT_TRUE(found.frames_known);
  EXPECT_EQ(found.data_offset, 44);
  EXPECT_EQ(found.valid_bits, 16);
  EXPECT_TRUE(found.playable);
  EXPECT_THAT(found.warnings, IsEmpty());
  EXPECT_EQ(found.error, "");
  EXPECT_FALSE(found.scan || found.extents);
}

TEST_F(InspectFile, ARefusedFileHasCauseAndRemedyInOneLineWithoutItsName) {
  std::string died = plain_wav().bytes();
  died.replace(40, 4, 4, '\0');  // the size of the data chunk
  const auto path = write("a\nb.wav", test::AudioBytes{}.text(died));
  const auto found = inspect_file(path, {});
  EXPECT_FALSE(found.playable);
  EXPECT_EQ(found.name, "a\\nb.wav");
  EXPECT_TRUE(found.error.starts_with("the data chunk says 0 bytes")) << found.error;
  EXPECT_THAT(found.error, HasSubstr(" (--ignore-length plays the 1000 frames"));
  EXPECT_EQ(found.error.find('\n'), std::string::npos);
  InspectRequest ignoring;
  ignoring.lengths = LengthRule::take_what_is_there;
  EXPECT_EQ(inspect_file(path, ignoring).frames, 1000);
}

TEST_F(InspectFile, LooksAtAllInputsWhateverIsWrongWithOne) {
  fs::create_directories(directory_.path() / "set");
  fs::create_directories(directory_.path() / "empty");
  write("set/b.wav", plain_wav());
  write("set/a.wav", test::AudioBytes{}.text("this is text"));
  fs::create_symlink("loop.wav", directory_.path() / "set/loop.wav");
  const auto findings = inspect_inputs({directory_.path() / "nowhere.wav", "-", directory_.path() / "empty",
                                        directory_.path() / "set", write("z.wav", short_wav())},
                                       {});
  std::vector<std::string> names;
  std::vector<bool> playable;
  for (const auto& found : findings) {
    names.push_back(found.name);
    playable.push_back(found.playable);
    EXPECT_EQ(found.playable, found.error.empty()) << found.name;
  }
  EXPECT_THAT(names, ElementsAre("nowhere.wav", "-", "empty", "a.wav", "b.wav", "loop.wav", "z.wav"));
  EXPECT_THAT(playable, ElementsAre(false, false, false, false, true, false, true));
  EXPECT_THAT(findings[1].error, HasSubstr("standard input is not seekable (write it to a file"));
  EXPECT_THAT(findings[3].error, HasSubstr("starts with 'this'"));
  EXPECT_THAT(findings[6].warnings, ElementsAre(HasSubstr("cut off")));
}

TEST_F(InspectFile, EndsEarlyWhenTold) {
  const auto path = write("a.wav", plain_wav());
  int asked = 0;
  InspectRequest request;
  request.stop = [&asked] { return ++asked > 1; };
  EXPECT_EQ(inspect_inputs({path, path, path}, request).size(), 1u);
  request = scanning();
  request.stop = [] { return true; };
  EXPECT_FALSE(inspect_file(path, request).scan.has_value());
}

TEST_F(InspectFile, ScanGivesFramesPeakAndWhatACardWouldClip) {
  const auto loud = scanned(write("loud.wav", float_wav({0.5F, -1.0F, 1.5F, -2.0F, 1.0F})));
  EXPECT_EQ(loud.frames, 5);
  EXPECT_EQ(loud.clipped_samples, 2);
  EXPECT_EQ(loud.peak_dbfs, 6.021);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto broken = scanned(write("broken.wav", float_wav({std::nanf(""), -kInfinity})));
  EXPECT_EQ(broken.clipped_samples, 1);
  EXPECT_TRUE(std::isfinite(broken.peak_dbfs.value_or(kInfinity)));
  const auto silent = scanned(write("silent.wav", float_wav({0.0F, -0.0F})));
  EXPECT_EQ(silent, (FileScan{.frames = 2, .peak_dbfs = std::nullopt, .clipped_samples = 0}));
}

TEST_F(InspectFile, FullScaleOfIntegersIsNotClipped) {
  test::AudioBytes samples;
  for (int frame = 0; frame < 1000; ++frame) samples.le(4, 0x7fffffff).le(4, 0x80000000);
  const auto wav = test::wav(test::fmt16({.bits = 32}), samples);
  EXPECT_EQ(scanned(write("full.wav", wav)),
            (FileScan{.frames = 1000, .peak_dbfs = 0, .clipped_samples = 0}));
}

TEST_F(InspectFile, ScanReadsEveryStepOfALongFileInEachFormat) {
  for (const auto format : {SampleFormat::u8, SampleFormat::s24_3be, SampleFormat::f64_le}) {
    test::AudioBytes samples;
    const Frames frames = 3 * 1024 * 1024 / bytes_per_sample(format) + 7;
    const auto quiet = test::sample_bytes(format, 0).bytes();
    std::string body;
    for (Frames frame = 0; frame + 1 < frames; ++frame) body += quiet;
    samples.text(body).add(test::sample_bytes(format, -16384));  // only the last sample is heard
    const bool floating = is_float(format);
    const auto bits = static_cast<unsigned>(8 * bytes_per_sample(format));
    const auto bytes =
        format == SampleFormat::s24_3be
            ? test::aiff(test::AudioBytes{}
                             .chunk_be("COMM", test::comm(24, static_cast<std::uint32_t>(frames), "", 1))
                             .chunk_be("SSND", test::ssnd(samples)))
            : test::wav(test::fmt16({.tag = floating ? 3U : 1U, .channels = 1, .bits = bits}), samples);
    const auto found = scanned(write("long", bytes));
    EXPECT_EQ(found, (FileScan{.frames = frames, .peak_dbfs = -6.021, .clipped_samples = 0}))
        << to_string(format);
  }
}

TEST_F(InspectFile, ScanDecodesCodedFiles) {
  const auto path =
      test::write_coded(directory_.path() / "a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 400'000);
  const auto found = scanned(path);
  EXPECT_EQ(found.frames, 400'000);
  EXPECT_EQ(found.clipped_samples, 0);
  EXPECT_NEAR(found.peak_dbfs.value_or(0), -3.1, 0.2);  // a sine of 0.5 and noise up to 0.2

  fs::resize_file(path, fs::file_size(path) / 2);
  const auto cut = inspect_file(path, scanning());
  ASSERT_TRUE(cut.scan.has_value());
  EXPECT_GT(cut.scan->frames, 0);
  EXPECT_LT(cut.scan->frames, 400'000);
  const std::string ended = "ended at frame " + std::to_string(cut.scan->frames) + " of 400000";
  EXPECT_EQ(cut.error, "");
  EXPECT_THAT(cut.warnings, ElementsAre(ended));
}

TEST_F(InspectFile, ExtentsAreAskedForOnlyWhenWanted) {
  const auto path = write("a.wav", plain_wav());
  InspectRequest request;
  request.parts.extents = true;
  const auto found = inspect_file(path, request);
  if (!found.extents) GTEST_SKIP() << "this file system has no FIEMAP";
  EXPECT_EQ(found.extents->count, 1);
  EXPECT_GE(found.extents->median_bytes, 4044);
}

/// A WAV file of 8 MiB, no page of which is cached.
class InspectCold : public testing::Test {
 protected:
  void SetUp() override {
    test::AudioBytes samples;
    samples.text(std::string(static_cast<std::size_t>(kBytes), '\x11'));
    path_ = directory_.write("cold.wav", test::wav(test::fmt16(), samples));
    file_.reset(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (evict(file_.get()) || cached(0, kBytes).value_or(1) > 0) {
      GTEST_SKIP() << "this file system keeps its pages, or does not tell";
    }
  }
  std::optional<double> cached(Bytes offset, Bytes size) const {
    const FileRange range{file_.get(), offset, size};
    return cached_share({&range, 1});
  }
  static constexpr Bytes kBytes = 8 * 1024 * 1024;
  test::TemporaryDirectory directory_;
  fs::path path_;
  UniqueFd file_;
};

TEST_F(InspectCold, HeadersAloneLeaveTheSamplesOutOfThePageCache) {
  EXPECT_TRUE(inspect_file(path_, {}).playable);
  EXPECT_EQ(cached(0, 1), 1.0);
  EXPECT_EQ(cached(kPageBytes, kBytes), 0.0);
}

TEST_F(InspectCold, AScanLeavesThePageCacheAsItWas) {
  ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_RANDOM);
  std::string warm(3 * 1024 * 1024, '\0');
  ASSERT_EQ(::pread(file_.get(), warm.data(), warm.size(), 1024 * 1024), static_cast<ssize_t>(warm.size()));
  EXPECT_EQ(inspect_file(path_, scanning()).scan.value_or(FileScan{}).frames, kBytes / 4);
  EXPECT_EQ(cached(1024 * 1024, 3 * 1024 * 1024), 1.0);
  EXPECT_EQ(cached(kPageBytes, 1024 * 1024 - kPageBytes), 0.0);
  EXPECT_EQ(cached(4 * 1024 * 1024, kBytes), 0.0);
}

TEST_F(InspectCold, SoDoesAScanOfACodedFile) {
  const auto path =
      test::write_coded(directory_.path() / "cold.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 1'000'000);
  file_.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(evict(file_.get()), std::nullopt);
  EXPECT_EQ(inspect_file(path, scanning()).scan.value_or(FileScan{}).frames, 1'000'000);
  constexpr Bytes kHeader = 64 * 1024;  // as much as libsndfile wants to see of it
  EXPECT_EQ(cached(kHeader, static_cast<Bytes>(fs::file_size(path))), 0.0);
}

TEST_F(InspectFile, ScanAndPlayerGiveTheSameFramesBeforeDamage) {
  const auto path =
      test::write_coded(directory_.path() / "a.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 400'000);
  const auto size = static_cast<std::streamoff>(fs::file_size(path));
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary)
      .seekp(size / 2)
      .write(std::string(5000, '\0').data(), 5000);
  CodedStream stream(open_audio_file(path));
  std::vector<float> samples(static_cast<std::size_t>(kDecodedChunk) * 2);
  while (stream.failure().empty() && stream.read_float(samples.data(), kDecodedChunk) > 0) continue;
  const auto found = inspect_file(path, scanning());
  ASSERT_TRUE(found.scan.has_value());
  EXPECT_EQ(found.scan->frames, stream.position());
}

}  // namespace
}  // namespace xrunlab::test::inspect_file_tests
