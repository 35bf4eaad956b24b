#include "xrunlab/disk/read_plan.hpp"

#include <gtest/gtest.h>

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

TEST(RingPlan, ShortLoopedFilesStillFillTwoFragments) {
  const auto granted =
      plan_ring({.ring = 48'000, .frame_bytes = 2, .fragment = 1024, .io_size = {}, .pass_bytes = 200});
  EXPECT_GE((granted.block_count - 1) * 200 / 2, 2 * 1024);
}

TEST(RingPlan, LoopingALongFileDoesNotLengthenTheRing) {
  const RingRequest once{.ring = 48'000, .frame_bytes = 3, .fragment = 1024};
  RingRequest looped = once;
  looped.pass_bytes = 600 * 144'000;
  EXPECT_EQ(plan_ring(looped), plan_ring(once));
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
