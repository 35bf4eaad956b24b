#include "xrunlab/disk/recorded_reads.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Bytes kSize = 4096;

RecordedRead read_of(std::uint32_t track, Bytes begin, Nanoseconds submitted, Nanoseconds took) {
  return {.track = track,
          .begin = begin,
          .end = begin + kSize,
          .submitted = submitted,
          .completed = submitted + took};
}

TEST(RecordedReads, APunctualReadCompletesAtTheRecordedInstantAndAnotherTakesAsLong) {
  const RecordedReads reads({read_of(0, 0, 100ms, 70ms), read_of(0, kSize, 200ms, 5ms)}, 1, {});
  {
    ReplayedReads played(reads, 20ms);
    const auto fate = played.next(0, 0, kSize, 90ms);
    EXPECT_EQ(fate.completed, 170ms);
  }
  ReplayedReads played(reads, 20ms);
  const auto fate = played.next(0, 0, kSize, 300ms);
  EXPECT_FALSE(fate.completed);
  EXPECT_EQ(fate.latency, 70ms);
}

TEST(RecordedReads, ALongReadBefallsTheFirstThatTouchesItOnly) {
  const RecordedReads reads(
      {read_of(0, 0, 1s, 900ms), read_of(0, kSize, 2s, 2ms), read_of(0, 2 * kSize, 3s, 2ms)}, 1, {});
  ReplayedReads played(reads, 1ms);
  EXPECT_EQ(played.next(0, 0, kSize / 2, 5s).latency, 900ms);
  EXPECT_EQ(played.next(0, kSize / 2, kSize, 5s).latency, 2ms) << "the usual time";
  ReplayedReads larger(reads, 1ms);
  EXPECT_EQ(larger.next(0, 0, 3 * kSize, 5s).latency, 900ms) << "of several the longest";
  EXPECT_EQ(larger.next(0, 3 * kSize, 4 * kSize, 5s).latency, 2ms) << "not in the record";
}

TEST(RecordedReads, OfALoopedFileTheReadOfThatTimeIsPlayed) {
  const RecordedReads reads({read_of(0, 0, 1s, 1ms), read_of(0, 0, 11s, 300ms), read_of(0, 0, 21s, 3ms)}, 1,
                            {});
  ReplayedReads played(reads, 1ms);
  EXPECT_EQ(played.next(0, 0, kSize, 12s).latency, 300ms);
  EXPECT_EQ(played.next(0, 0, kSize, 12s).latency, 3ms) << "each is played once";
  EXPECT_EQ(played.next(0, 0, kSize, 12s).latency, 1ms);
}

TEST(RecordedReads, WhatPrimingTookSaysNothingOfPlay) {
  const RecordedReads reads({read_of(0, 0, -2s, 800ms), read_of(0, kSize, 1s, 4ms)}, 1, {});
  ReplayedReads priming(reads, 1ms);
  EXPECT_EQ(priming.next(0, 0, kSize, std::nullopt).latency, 800ms);
  ReplayedReads playing(reads, 1ms);
  EXPECT_EQ(playing.next(0, 0, kSize, 1s).latency, 4ms);
}

TEST(RecordedReads, AFailureAndAReadThatNeverCameStayWhatTheyAre) {
  auto failed = read_of(0, 0, 1s, 2ms);
  failed.failed = true;
  failed.error_number = 5;
  auto hung = read_of(1, 0, 1s, 2ms);
  hung.completed = RecordedRead::kNever;
  const RecordedReads reads({failed, hung}, 2, {});
  EXPECT_TRUE(reads.any_never_completed());
  ReplayedReads played(reads, 1ms);
  for (int tries = 0; tries < 3; ++tries) {
    const auto fate = played.next(0, 0, kSize, 1s);
    ASSERT_NE(fate.failure, nullptr);
    EXPECT_EQ(fate.failure->error_number, 5);
  }
  EXPECT_EQ(played.next(1, 0, kSize, 1s).completed, RecordedRead::kNever);
}

TEST(RecordedReads, TheReaderIsLetRunBehindItsDelay) {
  const RecordedReads reads({}, 0, {{3s, 4s}, {1s, 2s}, {1500ms, 2500ms}, {9s, 8s}});
  EXPECT_EQ(reads.let_run(999ms), 999ms);
  EXPECT_EQ(reads.let_run(1s), 2500ms);
  EXPECT_EQ(reads.let_run(2500ms), 2500ms);
  EXPECT_EQ(reads.let_run(3100ms), 4s);
  EXPECT_EQ(reads.let_run(8500ms), 8500ms);
}

TEST(RecordedReads, WhatCannotBeIsPassedOver) {
  const RecordedReads reads({read_of(7, 0, 1s, 1ms),
                             read_of(0, -5, 1s, 1ms),
                             {.track = 0, .begin = 5, .end = 5, .submitted = 1s, .completed = 2s},
                             read_of(0, 0, Nanoseconds::min(), 1ms)},
                            1, {});
  EXPECT_EQ(reads.size(), 0U);
  EXPECT_EQ(reads.usual(), 1ms);
}

}  // namespace
}  // namespace xrunlab
