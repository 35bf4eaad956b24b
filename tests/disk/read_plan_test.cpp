#include "xrunlab/disk/read_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kKiB = 1024;

TEST(RingPlan, AutoBlockIsAnEighthOfTheRingAtMost) {
  // 5 s of mono 24-bit 48 kHz: 720,000 bytes; an eighth is 90,000, the power of two below it 64 KiB.
  EXPECT_EQ(plan_ring({.ring = 240'000, .frame_bytes = 3, .fragment = 1024}), (RingGeometry{64 * kKiB, 11}));
  EXPECT_EQ(plan_ring({.ring = 48'000, .frame_bytes = 3, .fragment = 1024}), (RingGeometry{16 * kKiB, 9}));
  EXPECT_EQ(plan_ring({.ring = 100'000'000, .frame_bytes = 4, .fragment = 1024}).block_bytes, 256 * kKiB);
}

TEST(RingPlan, HoldsAtLeastFourBlocksAndTwoFragments) {
  EXPECT_EQ(plan_ring({.ring = 1, .frame_bytes = 2, .fragment = 64}), (RingGeometry{4 * kKiB, 4}));
  const auto granted = plan_ring({.ring = 1, .frame_bytes = 4, .fragment = 65536});
  EXPECT_GE(granted.bytes(), 2 * 65536 * 4);
}

TEST(RingPlan, TellsWhenItGrantsMoreThanWasAskedFor) {
  EXPECT_FALSE(enlarged_to({.ring = 240'000, .frame_bytes = 3, .fragment = 1024}));
  EXPECT_FALSE(enlarged_to({.ring = 8192, .frame_bytes = 2, .fragment = 4096}));
  const auto blocks = enlarged_to({.ring = 341, .frame_bytes = 3, .fragment = 1024});
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->frames, 4 * 4096 / 3);
  EXPECT_EQ(blocks->sum, "4 reads of 4096 bytes, 2 fragments of 1024 frames");
  const auto fragments = enlarged_to({.ring = 8191, .frame_bytes = 2, .fragment = 4096});
  ASSERT_TRUE(fragments);
  EXPECT_EQ(fragments->frames, 8192);
}

TEST(RingPlan, ImpossibleSetsAreRefusedWithTheArithmetic) {
  try {
    plan_ring({.ring = 48'000, .frame_bytes = 3, .fragment = 1024, .io_size = 64 * kKiB});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_NE(std::string(error.what()).find("4 x 65536 = 262144"), std::string::npos) << error.what();
  }
  EXPECT_THROW(plan_ring({.ring = 480'000, .frame_bytes = 3, .fragment = 1024, .io_size = 1000}), Error);
}

/// What `count` reads one after another bring, at the least, wherever one begins to count.
Bytes least_of_reads(const LoopedFile& file, RingGeometry ring) {
  ReadCursor cursor(file.extent, ring.block_bytes, file.alignment, Looping::forever);
  std::vector<Bytes> reads;
  for (std::int64_t index = 0; index < 3 * ring.block_count + 100; ++index) {
    const auto read = *cursor.next();
    reads.push_back(read.end - read.begin);
  }
  Bytes least = ring.bytes();
  for (std::size_t at = 0; at + static_cast<std::size_t>(ring.block_count) <= reads.size(); ++at) {
    const auto begin = reads.begin() + static_cast<std::ptrdiff_t>(at);
    least = std::min(least, std::accumulate(begin, begin + ring.block_count, Bytes{0}));
  }
  return least;
}

TEST(RingPlan, TheContentOfALoopedRingIsTheLeastThatItsReadsBring) {
  for (const Bytes begin : {Bytes{0}, Bytes{44}, Bytes{4000}, Bytes{8192 + 1}}) {
    for (const Bytes pass : {1, 300, 3000, 4096, 4052, 8148, 9000, 20'000, 100'000, 131'072}) {
      const LoopedFile file{{begin, begin + pass}};
      for (const RingGeometry ring : {RingGeometry{4096, 4}, {4096, 9}, {16'384, 7}, {65'536, 11}}) {
        const auto content = content_of(ring, file);
        EXPECT_EQ(content.least, least_of_reads(file, ring))
            << begin << ' ' << pass << ' ' << ring.block_count;
        EXPECT_EQ(content.most_in_block, std::min(pass, ring.block_bytes));
      }
    }
  }
  EXPECT_EQ(content_of({4096, 4}, std::nullopt).least, 4 * 4096);
}

TEST(RingPlan, OfShortLoopedFilesTheRingHoldsWhatWasAskedFor) {
  for (const Frames frames : {100, 1000, 20'000, 48'000, 250'000}) {
    const LoopedFile file{{44, 44 + frames * 3}};
    const auto ring =
        plan_ring({.ring = 240'000, .frame_bytes = 3, .fragment = 1024, .io_size = {}, .looped = file});
    EXPECT_GE(content_of(ring, file).least, 240'000 * 3) << frames;
    EXPECT_LE(ring.bytes(), 16 * 240'000 * 3) << frames;
  }
}

TEST(RingPlan, OfFilesOfAFewFramesTheRingHoldsTwoFragmentsInReasonableMemory) {
  const LoopedFile file{{44, 44 + 3}};
  const auto ring =
      plan_ring({.ring = 240'000, .frame_bytes = 3, .fragment = 64, .io_size = {}, .looped = file});
  EXPECT_GE(content_of(ring, file).least, 2 * 64 * 3);
  EXPECT_LE(ring.bytes(), 16 * 240'000 * 3);
  const auto long_fragments =
      plan_ring({.ring = 240'000, .frame_bytes = 3, .fragment = 4096, .io_size = {}, .looped = file});
  EXPECT_GE(content_of(long_fragments, file).least, 2 * 4096 * 3);
}

TEST(RingPlan, LoopingALongFileTakesTwoMoreBlocksAtTheMost) {
  const RingRequest once{.ring = 48'000, .frame_bytes = 3, .fragment = 1024};
  RingRequest looped = once;
  looped.looped = LoopedFile{{44, 44 + 600 * 144'000}};
  EXPECT_EQ(plan_ring(looped).block_bytes, plan_ring(once).block_bytes);
  EXPECT_LE(plan_ring(looped).block_count, plan_ring(once).block_count + 2);
}

TEST(ReadCursor, StartsOnAPageAndEndsWithTheSamples) {
  ReadCursor cursor({44, 10'000}, 4096, 4096, Looping::once);
  EXPECT_EQ(cursor.next(), (PlannedRead{0, 4096, 44, 4096, false}));
  EXPECT_EQ(cursor.next(), (PlannedRead{4096, 4096, 0, 4096, false}));
  EXPECT_EQ(cursor.next(), (PlannedRead{8192, 4096, 0, 1808, true}));
  EXPECT_EQ(cursor.next(), std::nullopt);
  EXPECT_EQ(cursor.planned_bytes(), 10'000 - 44);
}

TEST(ReadCursor, LoopsFromTheFirstSample) {
  ReadCursor cursor({5000, 9000}, 8192, 4096, Looping::forever);
  EXPECT_EQ(cursor.next(), (PlannedRead{4096, 8192, 904, 4904, false}));
  EXPECT_EQ(cursor.next(), (PlannedRead{4096, 8192, 904, 4904, false}));
  EXPECT_EQ(cursor.planned_bytes(), 8000);
}

TEST(ReadCursor, EmptyExtentEndsAtOnceEvenWhenLooping) {
  ReadCursor cursor({44, 44}, 4096, 4096, Looping::forever);
  EXPECT_EQ(cursor.next(), std::nullopt);
}

}  // namespace
}  // namespace xrunlab
