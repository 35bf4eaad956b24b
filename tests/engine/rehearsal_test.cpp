#include "xrunlab/engine/rehearsal.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

#include "tests/disk/audio_bytes.hpp"
#include "xrunlab/disk/set_writer.hpp"

namespace xrunlab::test::rehearsal_tests {
namespace {

using namespace std::chrono_literals;

/// What of the rings stands in memory.
Bytes resident_bytes(const RingArena& arena) {
  std::vector<unsigned char> pages(arena.all().size() / static_cast<std::size_t>(kPageBytes));
  EXPECT_EQ(mincore(arena.all().data(), arena.all().size(), pages.data()), 0);
  return kPageBytes * std::count(pages.begin(), pages.end(), 1);
}

TEST(Rehearsal, TheRingsAreThereButTakeNoMemory) {
  const TemporaryDirectory directory;
  SetSpec spec;
  spec.tracks = 2;
  spec.duration = 100ms;
  StreamRequest request;
  for (const auto& path : write_set(directory.path() / "set", spec))
    request.files.push_back(open_audio_file(path));
  request.disk.ring = ByteCount{Bytes{64} << 20};
  const auto parts = rehearse(request);
  ASSERT_NE(parts->arena, nullptr);
  EXPECT_GE(static_cast<Bytes>(parts->arena->all().size()), (Bytes{63} << 20));
  EXPECT_LE(resident_bytes(*parts->arena), Bytes{4} << 20) << "but for what io_uring is tried with";
  EXPECT_NE(parts->ring_source, nullptr);
  EXPECT_EQ(request.ring_memory, RingMemory::touched) << "a run of the same request touches all";
}

}  // namespace
}  // namespace xrunlab::test::rehearsal_tests
