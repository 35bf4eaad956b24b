#include "xrunlab/disk/fault_engine.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <deque>
#include <set>

#include "tests/disk/reader_bench.hpp"

namespace xrunlab::test {
namespace {

using namespace std::chrono_literals;

/// A scripted disk behind the faults of `specs`: four files of a mebibyte, a millisecond a read.
struct FaultyDisk {
  explicit FaultyDisk(const std::vector<std::string>& specs, std::int64_t seed = 1, ScriptedDisk disk = {}) {
    for (std::size_t file = 0; file < 4; ++file) {
      disk.files.emplace_back();
      for (Bytes at = 0; at < (1 << 20); ++at) disk.files.back().push_back(byte_at(file, at));
    }
    disk.depth = 64;
    FaultEngineConfig config{.seed = seed};
    for (const auto& spec : specs) config.faults.push_back({parse_fault(spec), &counts.emplace_back()});
    engine = make_fault_engine(std::make_unique<ScriptedEngine>(std::move(disk), clock), std::move(config),
                               progress, clock);
  }

  void start() { progress.started_ns = clock.now().count(); }
  void submit(std::uint64_t tag, std::uint32_t file, std::uint32_t size = 65536) {
    blocks.emplace_back(size);
    engine->submit({.file = file, .out = blocks.back().data(), .offset = 0, .size = size, .tag = tag});
  }
  /// Waits again while nothing is handed out; the completions' tags, and when the first of them came.
  std::vector<std::uint64_t> tags() {
    std::vector<std::uint64_t> found;
    for (int turn = 0; turn < 100 && found.empty(); ++turn) {
      for (const auto& completion : engine->wait(10s)) found.push_back(completion.tag);
    }
    return found;
  }
  std::int32_t result() {
    for (int turn = 0; turn < 100; ++turn) {
      const auto completions = engine->wait(10s);
      if (!completions.empty()) return completions.front().result;
    }
    return -1;
  }

  FakeClock clock;
  PlaybackProgress progress;
  std::deque<FaultCount> counts;
  std::deque<std::vector<std::byte>> blocks;
  std::unique_ptr<IoEngine> engine;
};

using Tags = std::vector<std::uint64_t>;

TEST(FaultEngine, ADelayedReadComesAtItsTimeAndOthersGoOn) {
  FaultyDisk disk({"read-delay:at=0s,ms=500,track=1"});
  disk.start();
  const auto begin = disk.clock.now();
  disk.submit(10, 0);
  disk.submit(11, 1);
  disk.submit(12, 1);  // the fault was the first's
  EXPECT_EQ(disk.tags(), (Tags{10, 12}));
  EXPECT_EQ(disk.clock.now(), begin + 1ms);
  disk.submit(13, 0);
  EXPECT_EQ(disk.tags(), Tags{13});
  EXPECT_EQ(disk.clock.now(), begin + 2ms);
  EXPECT_EQ(disk.tags(), Tags{11});
  EXPECT_EQ(disk.clock.now(), begin + 500ms);
  EXPECT_EQ(disk.blocks[1][99], byte_at(1, 99));
  EXPECT_EQ(disk.counts[0].count(), 1);
  EXPECT_EQ(disk.counts[0].first(), begin);
}

TEST(FaultEngine, WaitKeepsToItsTimeoutWhileAReadIsHeld) {
  FaultyDisk disk({"read-delay:p=1,ms=500"});
  const auto begin = disk.clock.now();
  disk.submit(1, 0);
  EXPECT_TRUE(disk.engine->wait(10s).empty());  // the read itself
  EXPECT_EQ(disk.clock.now(), begin + 1ms);
  EXPECT_TRUE(disk.engine->wait(100ms).empty());
  EXPECT_EQ(disk.clock.now(), begin + 101ms);
  EXPECT_EQ(disk.engine->wait(10s).size(), 1u);
  EXPECT_EQ(disk.clock.now(), begin + 500ms);
  EXPECT_TRUE(disk.engine->wait(20ms).empty());
  EXPECT_EQ(disk.clock.now(), begin + 520ms);
}

TEST(FaultEngine, AReadThatTakesLongerThanItsDelayComesWhenItIsComplete) {
  FaultyDisk disk({"read-delay:p=1,ms=500"}, 1, {.latency = 700ms});
  const auto begin = disk.clock.now();
  disk.submit(1, 0);
  EXPECT_EQ(disk.engine->wait(10s).size(), 1u);
  EXPECT_EQ(disk.clock.now(), begin + 700ms);
}

TEST(FaultEngine, ATimeCountsFromTheCardsStartAndMeansTheFirstReadThen) {
  FaultyDisk disk({"eio:at=2s"});
  disk.clock.advance(5s);
  disk.submit(1, 0);
  EXPECT_EQ(disk.result(), 65536);
  disk.start();
  disk.clock.advance(1999ms);
  disk.submit(2, 0);
  EXPECT_EQ(disk.result(), 65536);
  disk.submit(3, 0);
  EXPECT_EQ(disk.result(), -EIO);
  disk.submit(4, 0);
  EXPECT_EQ(disk.result(), 65536);
}

TEST(FaultEngine, AShortenedReadBringsLessThanHalfAndSmallOnesStayWhole) {
  FaultyDisk disk({"short-read:p=1"});
  for (const std::uint32_t size : {65536u, 12288u, 8192u, 4096u}) {
    disk.submit(size, 2, size);
    EXPECT_EQ(disk.result(), static_cast<std::int32_t>(size >= 12288 ? size / 2 - 1 : size));
  }
  EXPECT_EQ(disk.counts[0].count(), 2);
}

TEST(FaultEngine, AnErrorOfTheDiskStaysOne) {
  FaultyDisk disk({"short-read:p=1", "read-delay:p=1,ms=5"}, 1,
                  {.script = {{.read = 0, .error_number = EINTR}}});
  disk.submit(1, 0);
  EXPECT_EQ(disk.result(), -EINTR);
  disk.submit(1, 0);
  EXPECT_EQ(disk.result(), 32767);
}

/// Which of each track's first 2000 reads are shortened, by number.
std::set<std::pair<std::uint32_t, int>> picked(std::int64_t seed, bool interleaved) {
  FaultyDisk disk({"short-read:p=0.1"}, seed);
  std::set<std::pair<std::uint32_t, int>> found;
  const auto read = [&](std::uint32_t track, int number) {
    disk.blocks.clear();
    disk.submit(1, track, 12288);
    if (disk.result() < 12288) found.insert({track, number});
  };
  for (int number = 0; number < 2000; ++number) {
    read(0, number);
    if (interleaved) read(1, number);
  }
  for (int number = 0; !interleaved && number < 2000; ++number) read(1, number);
  return found;
}

TEST(FaultEngine, AProbabilityPicksTheSameReadsOfATrackInWhateverOrderTheyCome) {
  const auto some = picked(1, true);
  EXPECT_EQ(some, picked(1, false));
  EXPECT_NE(some, picked(2, true));
  EXPECT_GT(some.size(), 340u);  // 400, five times the deviation of 12
  EXPECT_LT(some.size(), 460u);
}

TEST(FaultEngine, TheReaderPlaysEveryByteThroughShortAndDelayedReads) {
  std::deque<FaultCount> counts;
  ReaderBench bench({.sizes = {300'000, 200'000},
                     .begin = 44,
                     .alignment = 512,
                     .adjust = [&](ReaderConfig& config, ReaderBench& made) {
                       const auto plain = config.make_engine;
                       config.make_engine = [&, plain] {
                         FaultEngineConfig faults{.alignment = 512};
                         for (const char* spec : {"short-read:p=1", "read-delay:p=0.2,ms=300"})
                           faults.faults.push_back({parse_fault(spec), &counts.emplace_back()});
                         return make_fault_engine(plain(), faults, made.progress, made.clock);
                       };
                     }});
  bench.prime();
  for (Frames played = 0; played < 196'000; played += 1000) {
    bench.play(1000);
    const Bytes wanted = std::min<Bytes>(20'000, 198'000 - played);
    for (int turn = 0; turn < 1000 && std::min(bench.fill(0), bench.fill(1)) < wanted; ++turn)
      bench.reader->step();
  }
  EXPECT_GT(bench.reader->short_reads(), 100);
  EXPECT_EQ(bench.reader->short_reads(), counts[0].count());
  EXPECT_GT(counts[1].count(), 20);
  EXPECT_GE(bench.reader->io_latency().max_ns, 300'000'000);
}

TEST(FaultEngine, AFailedReadEndsItsTrackWithNameAndOffset) {
  std::deque<FaultCount> counts;
  ReaderBench bench({.sizes = {100'000, 100'000}, .adjust = [&](ReaderConfig& config, ReaderBench& made) {
                       const auto plain = config.make_engine;
                       config.make_engine = [&, plain] {
                         const ReadFault fault{parse_fault("eio:at=0s,track=1"), &counts.emplace_back()};
                         return make_fault_engine(plain(), {.faults = {fault}}, made.progress, made.clock);
                       };
                     }});
  bench.prime();
  EXPECT_FALSE(bench.reader->input_failure());
  bench.progress.started_ns = bench.clock.now().count();
  bench.play(kBlock);
  for (int turn = 0; turn < 5; ++turn) bench.reader->step();
  const auto failure = bench.reader->input_failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->track, 1u);
  EXPECT_EQ(failure->error_number, EIO);
  EXPECT_EQ(failure->offset, kBlocks * kBlock);
}

}  // namespace
}  // namespace xrunlab::test
