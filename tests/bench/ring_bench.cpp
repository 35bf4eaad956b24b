// One block handed over and back through the ring: taken by the producer, published, looked at and given back
// by the consumer. Nothing is copied, so the size of a block does not matter. Beside it one clock read, the
// unit in which the playback thread pays for its timers.

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "ringbuffer/block_ring.hpp"
#include "xrunlab/core/clock.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{16} << 10;
constexpr std::size_t kBlocks = 9;  // one second of a mono 24-bit track at 48 kHz

/// Returns false when no block was vacant.
bool hand_over(BlockProducer& producer) {
  const auto index = producer.take_vacant();
  if (!index) return false;
  producer.publish({.index = *index, .begin = 0, .end = kBlockBytes, .submitted_ns = 1, .completed_ns = 2});
  return true;
}

void BM_ClockRead(benchmark::State& state) {
  const SystemClock clock;
  for (auto _ : state) benchmark::DoNotOptimize(clock.now());
}
BENCHMARK(BM_ClockRead);

void BM_BlockHandedOverAndBack(benchmark::State& state) {
  std::vector<std::byte> row(kBlocks * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  // Half full, as a ring is in which the reader keeps up.
  for (std::size_t block = 0; block < kBlocks / 2; ++block) hand_over(producer);
  for (auto _ : state) {
    hand_over(producer);
    benchmark::DoNotOptimize(consumer.contiguous().data());
    consumer.consume(kBlockBytes);
  }
}
BENCHMARK(BM_BlockHandedOverAndBack);

/// The same between two threads that do nothing else: the cache lines travel between the cores.
void BM_BlockHandedOverAndBackByTwoThreads(benchmark::State& state) {
  std::vector<std::byte> row(kBlocks * kBlockBytes);
  auto halves = make_block_ring(row, kBlockBytes);
  auto& consumer = halves.second;
  std::atomic<bool> stop{false};
  std::thread filler([&stop, &producer = halves.first] {
    while (!stop.load(std::memory_order_relaxed)) {
      if (!hand_over(producer)) std::this_thread::yield();
    }
  });
  for (auto _ : state) {
    while (consumer.contiguous().empty()) std::this_thread::yield();
    consumer.consume(kBlockBytes);
  }
  stop = true;
  filler.join();
}
BENCHMARK(BM_BlockHandedOverAndBackByTwoThreads)->UseRealTime();

}  // namespace
}  // namespace xrunlab
