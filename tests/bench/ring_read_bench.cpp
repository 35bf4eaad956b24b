// T1's work at 64 tracks: one fragment of every track taken out of full rings and converted, beside the
// conversion of the same samples alone, out of the same memory into the same kind of buffer. Only these are
// timed; the rings are refilled in between. The ratio of the two is what rings, bookkeeping and the look at
// the fill of every track cost. With a pause before each fragment, as a card makes it, the processor's caches
// hold less of all this.

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "xrunlab/audio/convert.hpp"
#include "xrunlab/engine/ring_source.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kTracks = 64;
constexpr Frames kFragment = 1024;
constexpr Bytes kFrameBytes = 3;
constexpr SampleRate kRate{48000};
constexpr std::uint32_t kFirstSample = 44;  // where the samples of a WAV begin
constexpr Bytes kFragmentBytes = kFragment * kFrameBytes;

/// Granted ring of a mono 24-bit track: blocks and their size by the rule of docs/measurement.md.
struct Geometry {
  std::size_t block_bytes;
  std::size_t blocks;
  std::size_t row_bytes() const { return block_bytes * blocks; }
};

Geometry geometry(std::int64_t ring_seconds) {
  if (ring_seconds == 1) return {std::size_t{16} << 10, 9};
  return {std::size_t{64} << 10, 11};
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Pages = std::unique_ptr<std::byte[], Free>;

Pages noise_pages(std::size_t bytes) {
  const auto size = static_cast<std::size_t>(round_up(static_cast<Bytes>(bytes), kPageBytes));
  Pages memory(static_cast<std::byte*>(std::aligned_alloc(kPageBytes, size)));
  std::uint32_t state = 1;
  for (std::size_t at = 0; at < size; ++at) {
    state = state * 1664525U + 1013904223U;
    memory[at] = static_cast<std::byte>(state >> 24U);
  }
  return memory;
}

/// The rings of all tracks with the reader's half of each.
class Rings {
 public:
  explicit Rings(Geometry shape) : memory_(noise_pages(kTracks * shape.row_bytes())) {
    for (std::size_t track = 0; track < kTracks; ++track) {
      const std::span row(memory_.get() + track * shape.row_bytes(), shape.row_bytes());
      auto halves = make_block_ring(row, shape.block_bytes);
      producers_.push_back(std::move(halves.first));
      tracks_.push_back({.ring = std::move(halves.second),
                         .frame_bytes = kFrameBytes,
                         .capacity = static_cast<Frames>(shape.row_bytes()) / kFrameBytes});
    }
    fill(kFirstSample);
  }

  /// Publishes every vacant block as if it had been read; the first one begins at `begin`.
  void fill(std::uint32_t begin = 0) {
    for (auto& producer : producers_) {
      auto first = begin;
      while (const auto index = producer.take_vacant()) {
        producer.publish({*index, first, static_cast<std::uint32_t>(producer.block_bytes()), 1, 2});
        first = 0;
      }
    }
  }

  std::vector<RingTrack> take_consumers() { return std::move(tracks_); }

 private:
  Pages memory_;
  std::vector<BlockProducer> producers_;
  std::vector<RingTrack> tracks_;
};

void label(benchmark::State& state) {
  state.SetLabel(conversion_target());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTracks) * kFragment);
}

/// Ring in seconds, pause in ms. Few fragments with a pause: each takes its 21 ms.
void without_pause(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"ring_s", "pause_ms"})->Args({1, 0})->Args({5, 0})->UseManualTime();
}
void with_pause(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"ring_s", "pause_ms"})->Args({5, 21})->Iterations(50)->UseManualTime();
}

void pause(const benchmark::State& state) {
  if (state.range(1) > 0) std::this_thread::sleep_for(std::chrono::milliseconds{state.range(1)});
}

double seconds_between(Nanoseconds begin, Nanoseconds end) {
  return std::chrono::duration<double>(end - begin).count();
}

void BM_FragmentOfRings(benchmark::State& state) {
  Rings rings(geometry(state.range(0)));
  const SystemClock clock;
  StarvationGate gate;
  const std::atomic<bool> stop{false};
  const std::vector<TrackLayout> layouts(kTracks, {SampleFormat::s24_3le, 1});
  RingSource source({.rate = kRate}, rings.take_consumers(),
                    std::make_unique<ConvertedTracks>(layouts, kFragment, SamplePath::float32), gate, clock,
                    stop);
  for (auto _ : state) {
    pause(state);
    const auto begin = clock.now();
    const auto taken = source.take(begin);
    state.SetIterationTime(seconds_between(begin, clock.now()));
    if (taken.status != TakeStatus::ready || taken.starved) {
      state.SkipWithError("a ring lacked a fragment");
      break;
    }
    rings.fill();
  }
  label(state);
}
BENCHMARK(BM_FragmentOfRings)->Apply(without_pause);
BENCHMARK(BM_FragmentOfRings)->Apply(with_pause);

void BM_ConversionAlone(benchmark::State& state) {
  const auto shape = geometry(state.range(0));
  const auto memory = noise_pages(kTracks * shape.row_bytes());
  const ConvertedTracks converted(std::vector<TrackLayout>(kTracks, {SampleFormat::s24_3le, 1}), kFragment,
                                  SamplePath::float32);
  const auto out = converted.as_float();
  const SystemClock clock;
  std::size_t at = kFirstSample;
  for (auto _ : state) {
    pause(state);
    const auto begin = clock.now();
    for (std::size_t track = 0; track < kTracks; ++track) {
      to_float(SampleFormat::s24_3le, memory.get() + track * shape.row_bytes() + at, kFragment,
               const_cast<float*>(out[track].samples));
    }
    benchmark::ClobberMemory();
    state.SetIterationTime(seconds_between(begin, clock.now()));
    at += kFragmentBytes;
    // The fragment that would lie across the wrap is left out.
    if (at + kFragmentBytes > shape.row_bytes()) at = kFirstSample;
  }
  label(state);
}
BENCHMARK(BM_ConversionAlone)->Apply(without_pause);
BENCHMARK(BM_ConversionAlone)->Apply(with_pause);

}  // namespace
}  // namespace xrunlab
