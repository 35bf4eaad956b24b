// What the tests of the real engines share: a file of known bytes and a read of it through an engine.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "tests/disk/audio_bytes.hpp"
#include "xrunlab/disk/io_engine.hpp"
#include "xrunlab/disk/ring_arena.hpp"
#include "xrunlab/disk/track_file.hpp"

namespace xrunlab::test {

class EngineFile {
 public:
  static constexpr Bytes kSize = 200'000;

  explicit EngineFile(DirectMode mode = DirectMode::off) {
    AudioBytes bytes;
    for (Bytes at = 0; at < kSize; ++at) bytes.u8(byte_at(at));
    file = open_track_file(directory_.write("bytes", bytes), mode);
  }
  static unsigned byte_at(Bytes offset) { return static_cast<unsigned>((offset * 7 + offset / 251) & 0xff); }

  TrackFile file;

 private:
  TemporaryDirectory directory_;
};

/// Reads the whole file in blocks of `size` bytes through `engine` into the arena, as many at once as the
/// engine takes, and checks every byte.
inline void expect_whole_file(IoEngine& engine, const RingArena& arena, std::uint32_t size) {
  const auto memory = arena.all();
  ASSERT_GE(memory.size(), static_cast<std::size_t>(EngineFile::kSize) + size);
  std::map<std::uint64_t, std::int32_t> results;
  Bytes offset = 0;
  std::size_t submitted = 0;
  while (results.size() < submitted || offset < EngineFile::kSize) {
    while (offset < EngineFile::kSize &&
           submitted - results.size() < static_cast<std::size_t>(engine.depth())) {
      engine.submit({0, memory.data() + offset, offset, size, static_cast<std::uint64_t>(offset)});
      offset += size;
      ++submitted;
    }
    for (const auto& done : engine.wait(std::chrono::seconds{10})) results[done.tag] = done.result;
  }
  for (const auto& [tag, result] : results) {
    ASSERT_EQ(result, std::min<Bytes>(size, EngineFile::kSize - static_cast<Bytes>(tag)));
  }
  for (Bytes at = 0; at < EngineFile::kSize; ++at) {
    ASSERT_EQ(std::to_integer<unsigned>(memory[static_cast<std::size_t>(at)]), EngineFile::byte_at(at));
  }
}

}  // namespace xrunlab::test
