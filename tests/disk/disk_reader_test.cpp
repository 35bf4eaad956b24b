#include "xrunlab/disk/disk_reader.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/disk/reader_bench.hpp"

namespace xrunlab::test {
namespace {

using namespace std::chrono_literals;

TEST(DiskReader, PrimesEveryRing) {
  ReaderBench bench({.sizes = {100'000, 100'000, 5000}});
  bench.prime();
  EXPECT_TRUE(bench.reader->primed());
  EXPECT_EQ(bench.fill(0), kBlocks * kBlock);
  EXPECT_EQ(bench.fill(1), kBlocks * kBlock);
  EXPECT_EQ(bench.fill(2), 5000);
  EXPECT_EQ(bench.rings[2].fill().end, RingEnd::finished);
  EXPECT_EQ(bench.rings[0].fill().end, RingEnd::open);
  EXPECT_EQ(bench.reader->bytes_read(), 2 * kBlocks * kBlock + 5000);
  EXPECT_EQ(bench.reader->in_flight(), 0);
}

TEST(DiskReader, ReadsToTheEndAndIsDone) {
  ReaderBench bench({.sizes = {30'000, 20'000}});
  int steps = 0;
  while (bench.reader->step()) ASSERT_LT(++steps, 1000);
  EXPECT_EQ(bench.reader->bytes_read(), 50'000);
  EXPECT_EQ(bench.rings[0].fill().end, RingEnd::finished);
  bench.play(20'000);
}

TEST(DiskReader, ReadsTheEmptiestTrackFirst) {
  ReaderBench bench({.sizes = {100'000, 100'000, 100'000}, .disk = {.depth = 1}});
  bench.prime();
  std::vector<std::uint32_t> order;
  for (const auto& read : bench.engine->submitted()) order.push_back(read.file);
  ASSERT_EQ(order.size(), 3u * kBlocks);
  // Never is a track a block ahead of another.
  std::vector<int> blocks(3);
  for (const auto file : order) {
    ++blocks[file];
    EXPECT_LE(
        *std::max_element(blocks.begin(), blocks.end()) - *std::min_element(blocks.begin(), blocks.end()), 1);
  }
}

TEST(DiskReader, PublishesInOrderWhatCompletesInAnyOrder) {
  ScriptedDisk disk{.depth = 8};
  for (int read = 0; read < 64; ++read) disk.script.push_back({read, 1ms * (1 + (read * 5) % 8)});
  ReaderBench bench({.sizes = {64 * kBlock}, .disk = disk, .begin = 44});
  bench.prime();
  for (int count = 0; count < 100; ++count) {
    bench.play(2000);
    for (int turn = 0; turn < 10; ++turn) bench.reader->step();
  }
}

TEST(DiskReader, ShortAndRepeatedReadsGoOnFromTheLastAlignedOffsetAndAreCounted) {
  ScriptedDisk disk;
  disk.script = {{.read = 0, .most = 100},
                 {.read = 2, .error_number = EINTR},
                 {.read = 3, .error_number = EAGAIN},
                 {.read = 5, .most = 4095}};
  disk.depth = 2;
  for (const Bytes alignment : {Bytes{512}, kPageBytes}) {
    ReaderBench bench(
        {.sizes = {kBlocks * kBlock - 300}, .disk = disk, .begin = 200, .alignment = alignment});
    while (bench.reader->step()) {
    }
    EXPECT_EQ(bench.reader->short_reads(), 2);
    EXPECT_EQ(bench.reader->reads(), kBlocks);
    EXPECT_EQ(bench.reader->deadline().count, kBlocks);
    for (const auto& read : bench.engine->submitted()) {
      EXPECT_EQ(read.offset % alignment, 0);
      EXPECT_EQ(read.size % alignment, 0);
    }
    bench.play(kBlocks * kBlock - 300);
  }
}

TEST(DiskReader, AnErrorIsKeptAndWhatWasReadBeforeItIsPublished) {
  ScriptedDisk disk;
  disk.script = {{.read = 2, .latency = 1us, .error_number = EIO}};
  ReaderBench bench({.sizes = {100'000, 100'000}, .disk = disk});
  while (!bench.reader->primed()) ASSERT_TRUE(bench.reader->step());
  // Reads 0, 2, 4 … are track 0's: one block of it is good.
  EXPECT_EQ(bench.rings[0].fill().end, RingEnd::failed);
  EXPECT_EQ(bench.fill(0), kBlock);
  EXPECT_EQ(bench.fill(1), kBlocks * kBlock);
  const auto failure = bench.reader->input_failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->track, 0u);
  EXPECT_EQ(failure->offset, kBlock);
  EXPECT_EQ(failure->error_number, EIO);
  EXPECT_TRUE(bench.reader->first_track_read());
}

TEST(DiskReader, AFileThatEndsEarlyFailsWithoutAnErrno) {
  ScriptedDisk disk;
  disk.script = {{.read = 1, .most = 1000}, {.read = 8, .most = 1000}};
  ReaderBench bench({.sizes = {100'000}, .disk = disk});
  while (bench.reader->step()) {
  }
  const auto failure = bench.reader->input_failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->offset, kBlock + 1000);
  EXPECT_EQ(failure->error_number, 0);
  EXPECT_EQ(bench.fill(0), kBlock);
}

TEST(DiskReader, SleepsUntilTheNextBlockFallsVacant) {
  ReaderBench bench({.sizes = {1'000'000}});
  bench.prime();
  bench.progress.at_ns = bench.clock.now().count();
  bench.play(15 * kFragment);  // one more fragment, 62.5 ms, and the first block is vacant
  auto before = bench.clock.now();
  bench.reader->step();
  // The fragment's end and half a millisecond for the playback thread.
  EXPECT_EQ(bench.clock.now() - before, 62'500us + 500us);
  bench.play(kFragment);
  before = bench.clock.now();
  bench.reader->step();
  EXPECT_EQ(bench.clock.now() - before, 1ms);  // the read
  EXPECT_EQ(bench.fill(0), kBlocks * kBlock);
}

TEST(DiskReader, WithFullRingsItLooksSeldomWhileTheCardHasNotStartedOrStandsStill) {
  ReaderBench bench({.sizes = {1'000'000}});
  bench.prime();
  auto before = bench.clock.now();
  bench.reader->step();
  EXPECT_EQ(bench.clock.now() - before, 50ms) << "nothing was taken yet";
  bench.play(15 * kFragment);
  int looks = 0;
  for (before = bench.clock.now(); bench.clock.now() < before + 1s; ++looks) bench.reader->step();
  EXPECT_LE(looks, 50) << "every half a millisecond would be 1900";
}

TEST(DiskReader, UnpacedItNeverSleepsLongHoweverLongThePrimingTook) {
  ReaderBench bench({.sizes = {1'000'000, 1'000'000},
                     .disk = {.latency = 500ms},
                     .adjust = [](ReaderConfig& config, ReaderBench&) { config.pacing = Pacing::unpaced; }});
  bench.prime();
  bench.play(kFragment);  // of a ring that is taken at once, seen in its midst
  for (int look = 0; look < 3; ++look) {
    const auto before = bench.clock.now();
    bench.reader->step();
    EXPECT_LE(bench.clock.now() - before, 2ms) << look;
  }
}

TEST(DiskReader, TheAccountHoldsWhatWasReadWhileSomethingWasVacantInTheWindow) {
  ReaderBench bench({.sizes = {12 * kBlock}, .disk = {.latency = 10ms}});
  bench.prime();
  bench.progress.started_ns = bench.clock.now().count();
  bench.reader->step();
  EXPECT_EQ(bench.reader->account().bytes, 0);
  const auto vacant_at_start = bench.reader->account().vacant;
  for (int block = 0; block < 3; ++block) {
    bench.play(kBlock);
    bench.reader->step();
    for (int turn = 0; turn < 5; ++turn) bench.reader->step();
  }
  EXPECT_EQ(bench.reader->account().bytes, 3 * kBlock);
  EXPECT_EQ(bench.reader->account().vacant - vacant_at_start, 30ms);
  EXPECT_FALSE(bench.reader->first_track_read());
  bench.play(kBlock);
  while (bench.reader->step()) {
  }
  EXPECT_EQ(bench.reader->account().bytes, 4 * kBlock);
  EXPECT_EQ(bench.reader->account().vacant - vacant_at_start, 40ms);
  EXPECT_EQ(bench.reader->first_track_read(), bench.clock.now());
}

TEST(DiskReader, TheAccountIsFrozenWhenTheFirstTrackIsRead) {
  ReaderBench bench({.sizes = {9 * kBlock, 100 * kBlock}});
  bench.prime();
  bench.progress.started_ns = bench.clock.now().count();
  bench.reader->step();
  for (int block = 0; block < 6; ++block) {
    bench.play(kBlock);
    for (int turn = 0; turn < 5; ++turn) bench.reader->step();
  }
  // The other track's read of that moment may have been seen before or after.
  EXPECT_GE(bench.reader->account().bytes, kBlock);
  EXPECT_LE(bench.reader->account().bytes, 2 * kBlock);
  EXPECT_GT(bench.reader->bytes_read(), 9 * kBlock + 12 * kBlock);
}

TEST(DiskReader, ADiskThatIsTooSlowNeverHasEveryRingFull) {
  for (const auto latency : {900ms, 1100ms}) {  // a block lasts a second
    ReaderBench bench({.sizes = {1'000'000}, .disk = {.depth = 1, .latency = latency}});
    bench.prime();
    const auto primed = bench.clock.now();
    EXPECT_GE(bench.reader->all_full_since(), primed - 50ms);  // then it slept
    EXPECT_LE(bench.reader->all_full_since(), primed);
    auto due = primed;
    for (int fragment = 0; fragment < 30 * 16; ++fragment) {
      due += 62'500us;
      while (bench.clock.now() < due) bench.reader->step();
      bench.play(kFragment);
    }
    if (latency < 1s) {
      EXPECT_GT(bench.reader->all_full_since(), due - 2s);
    } else {
      EXPECT_LT(bench.reader->all_full_since(), primed + 2s);
    }
  }
}

// A file of a minute on a ring of eight seconds: a disk that gives 99 % of the need is found out before the
// ring is empty.
TEST(DiskReader, WhetherItSustainsThePlayIsToldByTheTimeUntilTheFirstTrackIsRead) {
  for (const auto latency : {900ms, 1010ms}) {
    ReaderBench bench({.sizes = {60 * kBlock}, .disk = {.depth = 1, .latency = latency}});
    bench.prime();
    const auto start = bench.clock.now();
    auto due = start;
    while (!bench.reader->first_track_read()) {
      due += 62'500us;
      while (bench.clock.now() < due && bench.reader->step()) {
      }
      bench.play(kFragment);
    }
    const auto last_third = start + (*bench.reader->first_track_read() - start) / 3 * 2;
    EXPECT_EQ(bench.reader->all_full_since() >= last_third, latency < 1s);
  }
}

TEST(DiskReader, EveryReadIsAnEvent) {
  EventQueue<Event> queue(100);
  ReaderBench bench({.sizes = {2 * kBlock + 10}, .begin = 44, .events = std::move(queue.producer)});
  const auto start = bench.clock.now();
  while (bench.reader->step()) {
  }
  Event event;
  Bytes total = 0;
  Bytes offset = 0;
  while (queue.consumer.pop(&event, 1) == 1) {
    EXPECT_EQ(event.kind, EventKind::read);
    EXPECT_EQ(event.read.offset, offset);
    EXPECT_EQ(event.read.submitted_ns, start.count());
    EXPECT_EQ(event.read.completed_ns, (start + 1ms).count());
    total += event.read.size;
    offset += kBlock;
  }
  EXPECT_EQ(total, 2 * kBlock + 10);
  EXPECT_EQ(bench.reader->io_latency().max_ns, 1'000'000);
}

TEST(DiskReader, ATinyFileLoopsForEver) {
  ReaderBench bench({.sizes = {100}, .looping = Looping::forever, .begin = 50});
  bench.prime();
  EXPECT_EQ(bench.fill(0), kBlocks * 100);
  std::vector<std::byte> got(kBlocks * 100);
  bench.rings[0].copy_out(got.data(), got.size());
  for (std::size_t index = 0; index < got.size(); ++index) {
    ASSERT_EQ(got[index], byte_at(0, 50 + static_cast<Bytes>(index % 100)));
  }
  EXPECT_EQ(bench.rings[0].fill().end, RingEnd::open);
}

TEST(DiskReader, AnEngineThatCannotBeMadeIsAnError) {
  FakeClock clock;
  PlaybackProgress progress;
  StarvationGate gate;
  const std::atomic<bool> stop{false};
  ReaderConfig config{
      .make_engine = []() -> std::unique_ptr<IoEngine> { throw std::runtime_error("refused"); },
      .rate = kRate};
  DiskReader reader(std::move(config), {}, progress, gate, clock);
  reader.run(stop);
  EXPECT_TRUE(reader.ready() && reader.finished());
  EXPECT_FALSE(reader.input_failure());
  EXPECT_THROW(std::rethrow_exception(reader.error()), std::runtime_error);
}

}  // namespace
}  // namespace xrunlab::test
