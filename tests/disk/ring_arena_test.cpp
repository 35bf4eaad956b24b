#include "xrunlab/disk/ring_arena.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

TEST(RingArena, RowsLieBehindOneAnotherOnPages) {
  const RingArena arena({{4096, 4}, {65'536, 5}, {12'288, 7}});
  EXPECT_EQ(arena.row(0).size(), 4u * 4096);
  EXPECT_EQ(arena.row(1).data(), arena.row(0).data() + arena.row(0).size());
  EXPECT_EQ(arena.row(2).data(), arena.row(1).data() + arena.row(1).size());
  EXPECT_EQ(arena.row(2).data() + arena.row(2).size(), arena.all().data() + arena.all().size());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.all().data()) % 4096, 0u);
  ASSERT_EQ(arena.slices().size(), 1u);
  EXPECT_EQ(arena.slices()[0].size(), arena.all().size());
  EXPECT_GT(arena.touch_time().count(), 0);
}

TEST(RingArena, AnArenaOfNothingIsThere) {
  const RingArena arena({});
  EXPECT_TRUE(arena.slices().empty());
  EXPECT_EQ(arena.all().size(), 4096u);
}

TEST(RingArena, WhatDoesNotFitSaysHowMuchIsNeeded) {
  try {
    const RingArena arena({{Bytes{1} << 26, std::int64_t{1} << 30}});
    FAIL() << "was mapped";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_NE(std::string(error.what()).find("72057594037927936 bytes"), std::string::npos) << error.what();
  }
}

TEST(RingArena, NoSliceIsTooLargeAndNoBlockCrossesOne) {
  const Bytes block = 48 * 1024;  // does not divide a MiB
  const RingArena arena({{block, 13}, {block, 12}, {4096, 100}}, std::size_t{1} << 20);
  ASSERT_EQ(arena.slices().size(), 2u);
  EXPECT_EQ(arena.slices()[0].size(), 21u * 48 * 1024);
  EXPECT_EQ(arena.slices()[0].data(), arena.all().data());
  EXPECT_EQ(arena.slices()[1].data(), arena.all().data() + arena.slices()[0].size());
  EXPECT_EQ(arena.slices()[0].size() + arena.slices()[1].size(), arena.all().size());
}

TEST(RingArena, AReservedOneIsThereButTakesNoMemory) {
  const RingArena arena({{Bytes{1} << 20, 64}}, RingArena::kLargestSlice, {}, RingMemory::reserved);
  std::vector<unsigned char> resident(arena.all().size() / static_cast<std::size_t>(kPageBytes));
  ASSERT_EQ(mincore(arena.all().data(), arena.all().size(), resident.data()), 0);
  EXPECT_EQ(std::count(resident.begin(), resident.end(), 0), static_cast<std::ptrdiff_t>(resident.size()));
  arena.row(0).back() = std::byte{1};
  EXPECT_EQ(arena.slices().size(), 1u);
}

}  // namespace
}  // namespace xrunlab
