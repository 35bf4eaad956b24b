// A real reader thread and a real taking thread with rings so small that nearly every fragment starves.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "tests/disk/audio_bytes.hpp"
#include "tests/sanitized.hpp"
#include "xrunlab/disk/disk_reader.hpp"
#include "xrunlab/disk/pread_engine.hpp"
#include "xrunlab/disk/ring_arena.hpp"
#include "xrunlab/disk/track_file.hpp"
#include "xrunlab/disk/uring_engine.hpp"
#include "xrunlab/engine/ring_source.hpp"

namespace xrunlab::test::streaming_threads_tests {
namespace {

using namespace std::chrono_literals;

constexpr Frames kFragment = 1024;
constexpr Frames kFileFrames = 10'007;
constexpr std::size_t kTracks = 3;
constexpr int kTakes = 20'000;

/// Files of 16-bit samples that count, each from a number of its own, looped for ever.
struct Files {
  Files() {
    for (std::size_t track = 0; track < kTracks; ++track) {
      test::AudioBytes bytes;
      bytes.zeros(44);
      for (Frames frame = 0; frame < kFileFrames; ++frame) {
        bytes.le(2, static_cast<std::uint16_t>(number(track, frame)));
      }
      files.push_back(open_track_file(directory.write(std::to_string(track), bytes), DirectMode::off));
      descriptors.push_back(files.back().fd.get());
    }
  }
  static int number(std::size_t track, Frames frame) {
    return static_cast<int>(frame % kFileFrames) + static_cast<int>(track) * 5000 + 1;
  }

  test::TemporaryDirectory directory;
  std::vector<TrackFile> files;
  std::vector<int> descriptors;
};

using MakeEngine = std::function<std::unique_ptr<IoEngine>(const Files&, const RingArena&)>;

void stream_through(const MakeEngine& make_engine) {
  const Files files;
  SystemClock clock;
  PlaybackProgress progress;
  StarvationGate gate;
  std::atomic<bool> stop{false};
  const RingArena arena(std::vector<RingGeometry>(kTracks, {kPageBytes, 4}));
  std::vector<TrackSource> sources;
  std::vector<RingTrack> rings;
  for (std::size_t track = 0; track < kTracks; ++track) {
    auto [producer, consumer] = make_block_ring(arena.row(track), kPageBytes);
    sources.push_back({std::move(producer), {44, 44 + 2 * kFileFrames}, kPageBytes, 1e9 / 96'000});
    rings.push_back({std::move(consumer), 2, 4 * kPageBytes / 2});
  }
  DiskReader reader({.make_engine = [&] { return make_engine(files, arena); },
                     .rate = {48'000},
                     .fragment = kFragment,
                     .pacing = Pacing::unpaced,
                     .looping = Looping::forever},
                    std::move(sources), progress, gate, clock);
  RingSource source(
      {{48'000}, StarveAnswer::waited}, std::move(rings),
      std::make_unique<ConvertedTracks>(std::vector<TrackLayout>(kTracks, {SampleFormat::s16_le, 1}),
                                        kFragment, SamplePath::float32),
      gate, clock, stop);
  std::thread reading([&] { reader.run(stop); });
  std::int64_t starved = 0;
  Frames position = 0;
  const auto start = clock.now();
  bool sound = true;
  for (int count = 0; count < kTakes && sound; ++count) {
    const auto taken = source.take(clock.now());
    sound = taken.status == TakeStatus::ready && taken.frames == kFragment;
    if (taken.starved) ++starved;
    for (std::size_t track = 0; track < kTracks && sound; ++track) {
      for (Frames frame = 0; frame < kFragment && sound; ++frame) {
        sound = source.as_float()[track].samples[frame] * 32768 ==
                static_cast<float>(Files::number(track, position + frame));
      }
    }
    position += kFragment;
    progress.taken.store(position, std::memory_order_release);
    progress.at_ns.store(clock.now().count(), std::memory_order_relaxed);
  }
  stop = true;
  reading.join();
  EXPECT_TRUE(sound) << "at frame " << position;
  EXPECT_GT(starved, 0);
  EXPECT_FALSE(reader.error());
  EXPECT_GE(reader.bytes_read(), position * 2 * static_cast<Bytes>(kTracks));
  // Were every tenth wake-up lost, the waits' own limit of 50 ms would sum up to minutes.
  EXPECT_LT(clock.now() - start, 60s);
}

TEST(StreamingThreads, StarvedReadsAreWokenByPread) {
  stream_through(
      [](const Files& files, const RingArena&) { return make_pread_engine(files.descriptors, 0); });
}

TEST(StreamingThreads, StarvedReadsAreWokenByIoUring) {
#if XRUNLAB_THREAD_SANITIZED
  GTEST_SKIP() << "the thread sanitizer does not see what the kernel writes";
#endif
  const RingArena arena({{kPageBytes, 4}});
  try {
    make_uring_engine({.buffers = arena.slices(), .depth = 4});
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  stream_through([](const Files& files, const RingArena& memory) {
    return make_uring_engine({.files = files.descriptors, .buffers = memory.slices(), .depth = 8});
  });
}

TEST(StreamingThreads, AStopEndsAStarvedReadOfARingThatNobodyFills) {
  SystemClock clock;
  StarvationGate gate;
  std::atomic<bool> stop{false};
  const RingArena arena({{kPageBytes, 4}});
  auto [producer, consumer] = make_block_ring(arena.row(0), kPageBytes);
  std::vector<RingTrack> rings;
  rings.push_back({std::move(consumer), 2, 4 * kPageBytes / 2});
  RingSource source({{48'000}, StarveAnswer::waited}, std::move(rings),
                    std::make_unique<ConvertedTracks>(std::vector<TrackLayout>{{SampleFormat::s16_le, 1}},
                                                      kFragment, SamplePath::float32),
                    gate, clock, stop);
  std::thread stopping([&] {
    clock.sleep_until(clock.now() + 20ms);
    stop = true;
    gate.wake();
  });
  const auto taken = source.take(clock.now());
  stopping.join();
  EXPECT_EQ(taken.status, TakeStatus::stopped);
  ASSERT_TRUE(taken.starved);
  EXPECT_GT(taken.starved->duration, 0ns);
  EXPECT_LT(taken.starved->duration, 20s);
}

}  // namespace
}  // namespace xrunlab::test::streaming_threads_tests
