// What the rings cost: one block handed over and back, one event pushed. No data is copied, so the size of a
// block does not matter.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <vector>

#include "ringbuffer/block_ring.hpp"
#include "ringbuffer/event_queue.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;
constexpr std::size_t kBlocks = 16;

// Both halves on one thread: the instructions alone, without the way of a cache line between two processors.
void BM_BlockHandedOverAndBack(benchmark::State& state) {
  std::vector<std::byte> row(kBlocks * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  for (auto _ : state) {
    const auto index = *producer.take_vacant();
    producer.publish({.index = index, .begin = 0, .end = kBlockBytes});
    const auto run = consumer.contiguous();
    benchmark::DoNotOptimize(run.data());
    consumer.consume(run.size());
  }
}
BENCHMARK(BM_BlockHandedOverAndBack);

// As the playback thread does it: a fragment at a time, a block gone every 21.
void BM_FragmentLookedAtAndConsumed(benchmark::State& state) {
  constexpr std::size_t kFragmentBytes = 1024 * 3;
  std::vector<std::byte> row(kBlocks * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  for (auto _ : state) {
    if (const auto index = producer.take_vacant()) {
      producer.publish({.index = *index, .begin = 0, .end = kBlockBytes});
    }
    benchmark::DoNotOptimize(consumer.fill().bytes);
    benchmark::DoNotOptimize(consumer.contiguous().data());
    consumer.consume(kFragmentBytes);
  }
}
BENCHMARK(BM_FragmentLookedAtAndConsumed);

struct Record {
  std::array<std::int64_t, 9> figures;
};

void BM_EventPushedAndPopped(benchmark::State& state) {
  constexpr std::size_t kBatch = 256;
  EventQueue<Record> queue(1024);
  std::array<Record, kBatch> batch;
  Record record{};
  std::size_t waiting = 0;
  for (auto _ : state) {
    ++record.figures[0];
    queue.producer.push(record);
    if (++waiting == kBatch) waiting -= queue.consumer.pop(batch.data(), kBatch);
  }
  benchmark::DoNotOptimize(batch);
  state.counters["dropped"] = static_cast<double>(queue.producer.dropped());
}
BENCHMARK(BM_EventPushedAndPopped);

}  // namespace
}  // namespace xrunlab
