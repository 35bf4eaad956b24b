// A disk reader on a scripted engine in virtual time, for tests: tracks of one byte a frame, played by hand.
#pragma once

#include <gtest/gtest.h>

#include "xrunlab/disk/disk_reader.hpp"
#include "xrunlab/disk/ring_arena.hpp"
#include "xrunlab/disk/scripted_engine.hpp"

namespace xrunlab::test {

inline constexpr Bytes kBlock = kPageBytes;
inline constexpr std::int64_t kBlocks = 8;
// One byte a frame at 4096 Hz: a block is a second, an eighth of the ring too.
inline constexpr SampleRate kRate{4096};
inline constexpr Frames kFragment = 256;

inline std::byte byte_at(std::size_t file, Bytes offset) {
  return static_cast<std::byte>((offset * 7 + static_cast<Bytes>(file) * 31 + offset / 4096) & 0xff);
}

/// A reader over files in memory, each track one byte a frame, and the consuming halves.
class ReaderBench {
 public:
  struct Setup {
    std::vector<Bytes> sizes;
    ScriptedDisk disk{};
    Looping looping = Looping::once;
    Bytes begin = 0;  ///< of the samples in each file
    Bytes alignment = kPageBytes;
    std::optional<EventProducer<Event>> events{};
    std::function<void(ReaderConfig&, ReaderBench&)> adjust{};  ///< has the last word on the configuration
  };

  explicit ReaderBench(Setup setup)
      : arena_(std::vector<RingGeometry>(setup.sizes.size(), {kBlock, kBlocks})) {
    std::vector<TrackSource> tracks;
    for (std::size_t index = 0; index < setup.sizes.size(); ++index) {
      std::vector<std::byte> bytes;
      for (Bytes at = 0; at < setup.begin + setup.sizes[index]; ++at) bytes.push_back(byte_at(index, at));
      setup.disk.files.push_back(std::move(bytes));
      auto [producer, consumer] = make_block_ring(arena_.row(index), kBlock);
      const DataExtent extent{setup.begin, setup.begin + setup.sizes[index]};
      tracks.push_back({std::move(producer), extent, setup.alignment, 1e9 / kRate.hz});
      rings.push_back(std::move(consumer));
      next_.push_back(setup.begin);
    }
    auto make = [this, disk = std::move(setup.disk)] {
      auto made = std::make_unique<ScriptedEngine>(disk, clock);
      engine = made.get();
      return made;
    };
    ReaderConfig config{.make_engine = make,
                        .rate = kRate,
                        .fragment = kFragment,
                        .looping = setup.looping,
                        .events = std::move(setup.events)};
    if (setup.adjust) setup.adjust(config, *this);
    reader.emplace(std::move(config), std::move(tracks), progress, gate, clock);
  }

  void prime() {
    while (!reader->primed() && reader->step()) {
    }
  }

  /// Plays `frames` frames of every track and checks each byte.
  void play(Frames frames) {
    for (std::size_t track = 0; track < rings.size(); ++track) {
      std::vector<std::byte> got(static_cast<std::size_t>(frames));
      ASSERT_GE(rings[track].fill().bytes, frames);
      rings[track].copy_out(got.data(), got.size());
      for (const auto value : got) ASSERT_EQ(value, byte_at(track, next_[track]++));
    }
    taken_ += frames;
    progress.taken = taken_;
    progress.at_ns = clock.now().count();
  }

  Bytes fill(std::size_t track) const { return rings[track].fill().bytes; }

  FakeClock clock;
  PlaybackProgress progress;
  StarvationGate gate;
  ScriptedEngine* engine = nullptr;
  std::vector<BlockConsumer> rings;
  std::optional<DiskReader> reader;

 private:
  RingArena arena_;
  std::vector<Bytes> next_;
  Frames taken_ = 0;
};

}  // namespace xrunlab::test
