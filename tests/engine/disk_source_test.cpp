#include "xrunlab/engine/disk_source.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include "tests/disk/audio_bytes.hpp"
#include "xrunlab/disk/track_file.hpp"

namespace xrunlab::test::disk_source_tests {
namespace {

constexpr Frames kFragment = 1000;

/// A file of 16-bit samples that count up, after `offset` other bytes.
class DiskSourceTest : public testing::Test {
 protected:
  TrackFile write(const std::string& name, Bytes offset, Frames frames, DirectMode mode = DirectMode::off) {
    test::AudioBytes bytes;
    bytes.zeros(static_cast<std::size_t>(offset));
    for (Frames index = 0; index < frames; ++index) bytes.le(2, static_cast<std::uint64_t>(index + 1));
    return open_track_file(directory.write(name, bytes), mode);
  }

  std::unique_ptr<DiskSource> make(std::vector<DiskTrack> tracks, Looping looping = Looping::once) {
    auto converted = std::make_unique<ConvertedTracks>(
        std::vector<TrackLayout>(tracks.size(), {SampleFormat::s16_le, 1}), kFragment, SamplePath::float32);
    return std::make_unique<DiskSource>(std::move(tracks), looping, std::move(converted), clock, latency);
  }

  static int sample(const DiskSource& source, std::size_t track, Frames index) {
    return static_cast<int>(source.as_float()[track].samples[index] * 32768);
  }

  test::TemporaryDirectory directory;
  FakeClock clock;
  Histogram latency;
};

DiskTrack track_of(const TrackFile& file, Bytes offset, Frames frames) {
  return {file.fd.get(), {offset, offset + 2 * frames}, 2, file.direct ? file.alignment : 1};
}

TEST_F(DiskSourceTest, ReadsEveryFrameOnceAndPadsTheShorterTrack) {
  for (const auto mode : {DirectMode::off, DirectMode::automatic}) {
    const auto longer = write("long", 44, 9500, mode);
    const auto shorter = write("short", 4090, 2500, mode);
    auto source = make({track_of(longer, 44, 9500), track_of(shorter, 4090, 2500)});
    for (Frames position = 0; position < 9500; position += kFragment) {
      const auto taken = source->take(clock.now());
      ASSERT_EQ(taken.status, TakeStatus::ready);
      ASSERT_EQ(taken.frames, std::min(kFragment, 9500 - position));
      ASSERT_EQ(taken.a_track_ended, position >= 2000);
      for (Frames index = 0; index < kFragment; ++index) {
        const auto number = position + index + 1;
        ASSERT_EQ(sample(*source, 0, index), number <= 9500 ? number : 0);
        ASSERT_EQ(sample(*source, 1, index), number <= 2500 ? number : 0);
      }
    }
    EXPECT_EQ(source->take(clock.now()).status, TakeStatus::end);
    EXPECT_EQ(source->bytes_read(), 2 * (9500 + 2500));
    EXPECT_FALSE(source->failure());
  }
  EXPECT_EQ(latency.count(), 2 * (10 + 3));
}

TEST_F(DiskSourceTest, LoopsOverAFileThatIsShorterThanAFragmentWithoutAnEnd) {
  const auto file = write("tiny", 44, 250);
  auto source = make({track_of(file, 44, 250)}, Looping::forever);
  for (int count = 0; count < 5; ++count) {
    const auto taken = source->take(clock.now());
    EXPECT_EQ(taken.frames, kFragment);
    EXPECT_FALSE(taken.a_track_ended);
    for (Frames index = 0; index < kFragment; ++index) ASSERT_EQ(sample(*source, 0, index), index % 250 + 1);
  }
}

TEST_F(DiskSourceTest, AFileThatEndsEarlyFailsThere) {
  const auto file = write("cut", 44, 1500);
  auto source = make({track_of(file, 44, 5000)});
  EXPECT_EQ(source->take(clock.now()).status, TakeStatus::ready);
  EXPECT_EQ(source->take(clock.now()).status, TakeStatus::failed);
  ASSERT_TRUE(source->failure());
  EXPECT_EQ(source->failure()->offset, 44 + 3000);
  EXPECT_EQ(source->failure()->error_number, 0);
}

TEST_F(DiskSourceTest, AnErrorFailsWithItsNumber) {
  const UniqueFd folder(open_track_file(directory.path(), DirectMode::off).fd.release());
  auto source = make({{folder.get(), {0, 4000}, 2, 1}});
  EXPECT_EQ(source->take(clock.now()).status, TakeStatus::failed);
  ASSERT_TRUE(source->failure());
  EXPECT_EQ(source->failure()->error_number, EISDIR);
}

}  // namespace
}  // namespace xrunlab::test::disk_source_tests
