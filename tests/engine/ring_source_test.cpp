#include "xrunlab/engine/ring_source.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace xrunlab::test::ring_source_tests {
namespace {

using namespace std::chrono_literals;

constexpr Frames kFragment = 4;
constexpr SampleRate kRate{1000};  // a frame is a millisecond
constexpr std::size_t kBlockBytes = 16;
constexpr Frames kBlockFrames = 8;
constexpr Frames kCapacity = 4 * kBlockFrames;

/// The reader's side of one mono 16-bit track whose samples count up from 1.
struct Feed {
  Feed() : row(4 * kBlockBytes), halves(make_block_ring(row, kBlockBytes)) {}

  void publish(Frames frames = kBlockFrames) {
    const auto slot = halves.first.take_vacant().value();
    for (Frames index = 0; index < frames; ++index) {
      const auto value = static_cast<std::int16_t>(++last);
      std::memcpy(halves.first.data(slot) + 2 * index, &value, 2);
    }
    halves.first.publish({.index = slot, .begin = 0, .end = static_cast<std::uint32_t>(2 * frames)});
  }
  void fill() {
    while (halves.first.any_vacant()) publish();
  }
  void finish(RingEnd end) { halves.first.finish(end); }

  std::vector<std::byte> row;
  std::pair<BlockProducer, BlockConsumer> halves;
  int last = 0;
};

class RingSourceTest : public testing::Test {
 protected:
  RingSource& make(std::size_t tracks, StarveAnswer answer = StarveAnswer::silenced) {
    feeds = std::vector<Feed>(tracks);
    std::vector<RingTrack> halves;
    for (auto& feed : feeds) halves.push_back({std::move(feed.halves.second), 2, kCapacity});
    auto converted = std::make_unique<ConvertedTracks>(
        std::vector<TrackLayout>(tracks, {SampleFormat::s16_le, 1}), kFragment, SamplePath::float32);
    source = std::make_unique<RingSource>(RingSourceConfig{kRate, answer}, std::move(halves),
                                          std::move(converted), gate, clock, stop);
    return *source;
  }

  std::vector<int> samples(std::size_t track) const {
    std::vector<int> values;
    for (Frames index = 0; index < kFragment; ++index) {
      values.push_back(static_cast<int>(source->as_float()[track].samples[index] * 32768));
    }
    return values;
  }

  FakeClock clock;
  StarvationGate gate;
  std::atomic<bool> stop{false};
  std::vector<Feed> feeds;
  std::unique_ptr<RingSource> source;
};

TEST_F(RingSourceTest, TakesTheNextFragmentOfEveryTrackAndTellsTheLeastFill) {
  make(2);
  feeds[0].fill();
  feeds[1].publish();
  auto taken = source->take(clock.now());
  EXPECT_EQ(taken.status, TakeStatus::ready);
  EXPECT_EQ(taken.frames, kFragment);
  EXPECT_EQ(taken.fill, kBlockFrames);
  EXPECT_FALSE(taken.starved || taken.a_track_ended);
  EXPECT_EQ(samples(1), (std::vector<int>{1, 2, 3, 4}));
  taken = source->take(clock.now());
  EXPECT_EQ(taken.fill, kBlockFrames - kFragment);
  EXPECT_EQ(samples(0), (std::vector<int>{5, 6, 7, 8}));
}

TEST_F(RingSourceTest, SilenceTakesNothingFromAnyTrack) {
  make(2);
  feeds[0].fill();
  const auto taken = source->take(7s);
  EXPECT_EQ(taken.status, TakeStatus::starved);
  EXPECT_EQ(taken.frames, kFragment);
  EXPECT_EQ(taken.fill, 0);
  ASSERT_TRUE(taken.starved);
  EXPECT_EQ(taken.starved->at, 7s);
  EXPECT_EQ(taken.starved->duration, 4ms);
  EXPECT_EQ(taken.starved->track, 1u);
  EXPECT_EQ(taken.starved->answer, StarveAnswer::silenced);
  feeds[1].fill();
  EXPECT_EQ(source->take(clock.now()).status, TakeStatus::ready);
  EXPECT_EQ(samples(0), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(samples(1), (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(RingSourceTest, AStopEndsAStarvedWait) {
  make(1, StarveAnswer::waited);
  stop = true;
  const auto taken = source->take(clock.now());
  EXPECT_EQ(taken.status, TakeStatus::stopped);
  ASSERT_TRUE(taken.starved);
  EXPECT_EQ(taken.starved->answer, StarveAnswer::waited);
}

// What a ring lacked, plus one fragment: C - fill + F.
TEST_F(RingSourceTest, RingNeededOfARingThatIsNeverRefilled) {
  make(1);
  feeds[0].fill();
  const Frames needed[] = {8, 8, 16, 16, 24, 24, 32, 32};  // 4, 8, 12 … in whole blocks of 8
  for (const Frames expected : needed) {
    ASSERT_EQ(source->take(clock.now()).status, TakeStatus::ready);
    EXPECT_EQ(source->ring_needed(), expected);
  }
}

// Plus what would have been played while waiting, since the ring was last full.
TEST_F(RingSourceTest, RingNeededGrowsWithEveryWaitUntilTheRingIsFullAgain) {
  make(1);
  feeds[0].fill();
  for (int count = 0; count < 8; ++count) source->take(clock.now());
  source->take(clock.now());             // silent: 32 - 0 + 4 + 4
  EXPECT_EQ(source->ring_needed(), 40);  //
  source->take(clock.now());             // silent again: 32 - 0 + 4 + 8 = 44
  EXPECT_EQ(source->ring_needed(), 48);  //
  feeds[0].publish();                    // 8 frames
  source->take(clock.now());             // fill 8: 32 - 8 + 4 + 8 = 36
  source->take(clock.now());             // fill 4: 40
  source->take(clock.now());             // silent: 32 - 0 + 4 + 12 = 48
  EXPECT_EQ(source->ring_needed(), 48);  //
  feeds[0].fill();                       // full: the waits are forgotten
  for (int count = 0; count < 8; ++count) source->take(clock.now());
  source->take(clock.now());  // silent: 32 - 0 + 4 + 4 = 40
  EXPECT_EQ(source->ring_needed(), 48);
}

TEST_F(RingSourceTest, RingNeededIsThatOfTheEmptiestTrack) {
  make(2);
  feeds[0].fill();
  feeds[1].publish();
  source->take(clock.now());  // 32 - 8 + 4 = 28
  EXPECT_EQ(source->ring_needed(), 32);
  EXPECT_EQ(source->capacity(), kCapacity);
}

TEST_F(RingSourceTest, AnEndedTrackIsPaddedWithSilenceAndNeverStarves) {
  make(2);
  feeds[0].publish();
  feeds[1].publish(6);
  feeds[1].finish(RingEnd::finished);
  auto taken = source->take(clock.now());
  EXPECT_EQ(taken.fill, kBlockFrames);  // the ended one's 6 do not count
  EXPECT_FALSE(taken.a_track_ended);
  taken = source->take(clock.now());
  EXPECT_EQ(taken.frames, kFragment);
  EXPECT_TRUE(taken.a_track_ended);
  EXPECT_EQ(samples(0), (std::vector<int>{5, 6, 7, 8}));
  EXPECT_EQ(samples(1), (std::vector<int>{5, 6, 0, 0}));
  feeds[0].publish(3);
  feeds[0].finish(RingEnd::finished);
  taken = source->take(clock.now());
  EXPECT_EQ(taken.status, TakeStatus::ready);
  EXPECT_EQ(taken.frames, 3);
  EXPECT_FALSE(taken.fill || taken.starved);
  EXPECT_EQ(samples(0), (std::vector<int>{9, 10, 11, 0}));
  EXPECT_EQ(samples(1), (std::vector<int>{0, 0, 0, 0}));
  EXPECT_EQ(source->take(clock.now()).status, TakeStatus::end);
}

TEST_F(RingSourceTest, AFailedTrackPlaysTheFragmentsThatWereReadOfIt) {
  make(1);
  feeds[0].publish();
  feeds[0].publish(2);
  feeds[0].finish(RingEnd::failed);
  EXPECT_EQ(source->take(clock.now()).status, TakeStatus::ready);
  EXPECT_EQ(source->take(clock.now()).status, TakeStatus::ready);
  EXPECT_EQ(samples(0), (std::vector<int>{5, 6, 7, 8}));
  const auto taken = source->take(clock.now());
  EXPECT_EQ(taken.status, TakeStatus::failed);
  EXPECT_FALSE(taken.starved);
}

TEST_F(RingSourceTest, AFailedTrackEndsThePlayWhateverTheOthersLack) {
  for (const auto answer : {StarveAnswer::silenced, StarveAnswer::waited}) {
    make(2, answer);
    feeds[0].finish(RingEnd::failed);
    EXPECT_EQ(source->take(clock.now()).status, TakeStatus::failed);
  }
}

}  // namespace
}  // namespace xrunlab::test::ring_source_tests
