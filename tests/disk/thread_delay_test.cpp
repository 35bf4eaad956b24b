// A reader and a decoder that --fault makes late, in virtual time.
#include <gtest/gtest.h>

#include "tests/disk/audio_bytes.hpp"
#include "tests/disk/coded_chain.hpp"
#include "tests/disk/reader_bench.hpp"
#include "tests/disk/written_by_libsndfile.hpp"
#include "tests/timing/ticking_clock.hpp"
#include "xrunlab/disk/decoder.hpp"
#include "xrunlab/disk/disk_reader.hpp"

namespace xrunlab::test {
namespace {

using namespace std::chrono_literals;

TEST(ThreadDelay, ALateReaderSeesCompletionsLateAndRefillsLate) {
  const std::atomic<bool> stop{false};
  FaultCount count;
  std::unique_ptr<PlannedDelays> delays;
  ReaderBench bench({.sizes = {1'000'000}, .adjust = [&](ReaderConfig& config, ReaderBench& made) {
                       delays =
                           std::make_unique<PlannedDelays>(std::vector<PlannedDelay>{{1s, 700ms, &count}},
                                                           SpentBy::sleeping, made.clock, stop);
                       config.delays = delays.get();
                     }});
  bench.prime();
  const auto start = bench.clock.now();
  bench.progress.started_ns = start.count();
  bench.clock.advance(900ms);
  bench.play(kBlock);
  bench.reader->step();
  EXPECT_EQ(count.count(), 0);
  bench.clock.sleep_until(start + 1s);
  bench.play(kBlock);
  bench.reader->step();  // its read takes a millisecond
  EXPECT_EQ(count.count(), 1);
  EXPECT_EQ(bench.clock.now(), start + 1701ms);
  EXPECT_EQ(bench.reader->io_latency().max_ns, 701'000'000) << "seen when it entered late";
  EXPECT_EQ(bench.fill(0), kBlocks * kBlock) << "the vacant block is filled again";
}

TEST(ThreadDelay, ALateDecoderHasItsRawBytesAndTakesLongForThem) {
  const TemporaryDirectory directory;
  const auto path = write_coded(directory.path() / "track", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 20'000);
  TickingClock clock;
  const std::atomic<bool> stop{false};
  FaultCount count;
  PlannedDelays delays({{0s, 40ms, &count}}, SpentBy::working, clock, stop);
  CodedChain chain({path}, clock, {.delays = &delays});
  chain.progress.started_ns = clock.now().count();
  chain.decoder->step();
  EXPECT_EQ(count.count(), 0) << "without raw bytes it is the disk that is late";
  chain.read(0);
  const auto begin = clock.now();
  chain.decoder->step();
  EXPECT_EQ(count.count(), 1);
  EXPECT_GE(clock.now() - begin, 40ms);
  EXPECT_LT(clock.now() - begin, 41ms);
  EXPECT_TRUE(chain.play(0) == decoded_by_libsndfile(path));
  EXPECT_EQ(count.count(), 1);
}

}  // namespace
}  // namespace xrunlab::test
