#include "xrunlab/jack/cycle_board.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

CycleStamp stamp_of(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number), number * 3, number * 5, number * 7};
}

TEST(CycleBoard, WhatOneProcessWritesTheOtherReads) {
  const CycleBoard mine(3);
  mine.seat(2).put(stamp_of(9));
  const CycleBoard its(UniqueFd(::dup(mine.fd())));
  EXPECT_EQ(its.seats(), 3);
  std::vector<CycleStamp> stamps;
  StampReader(its.seat(2)).read(stamps);
  ASSERT_EQ(stamps.size(), 1u);
  EXPECT_EQ(stamps[0], stamp_of(9));
  EXPECT_FALSE(its.stopped());
}

TEST(CycleBoard, WhatIsNoBoardIsRefused) {
  EXPECT_THROW(CycleBoard(UniqueFd(::open("/dev/null", O_RDWR))), Error);
}

TEST(StampReader, OverwrittenStampsAreCountedAndTheRestIsRight) {
  const CycleBoard board(1);
  StampReader reader(board.seat(0));
  const std::uint64_t written = CycleSeat::kStamps + 100;
  for (std::uint64_t number = 0; number < written; ++number) board.seat(0).put(stamp_of(number));
  std::vector<CycleStamp> stamps;
  reader.read(stamps);
  EXPECT_EQ(reader.lost() + static_cast<std::int64_t>(stamps.size()), static_cast<std::int64_t>(written));
  EXPECT_GE(reader.lost(), 100);
  ASSERT_FALSE(stamps.empty());
  EXPECT_EQ(stamps.back(), stamp_of(written - 1));
}

TEST(StampReader, WhatIsReadWhileItIsWrittenIsWholeOrLost) {
  const CycleBoard board(1);
  constexpr std::uint64_t kCount = 200'000;
  std::thread writer([&board] {
    for (std::uint64_t number = 0; number < kCount; ++number) board.seat(0).put(stamp_of(number));
  });
  StampReader reader(board.seat(0));
  std::vector<CycleStamp> stamps;
  while (reader.lost() + static_cast<std::int64_t>(stamps.size()) < static_cast<std::int64_t>(kCount)) {
    reader.read(stamps);
  }
  writer.join();
  for (const auto& stamp : stamps) ASSERT_EQ(stamp, stamp_of(stamp.frame_time));
}

}  // namespace
}  // namespace xrunlab
