// What one fragment of many tracks costs in conversion and mixing, beside a plain copy of the same bytes. The
// file samples come from a ring that is larger than the second-level cache, the way the playback thread meets
// them; every track's block starts on a page.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "xrunlab/audio/convert.hpp"
#include "xrunlab/audio/mix.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kTracks = 64;
constexpr std::size_t kFrames = 1024;
constexpr std::size_t kRingFragments = 24;  // 64 tracks of 3 KiB: about 4.5 MiB, in the third-level cache

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
template <class Sample>
using Pages = std::unique_ptr<Sample[], Free>;

template <class Sample>
Pages<Sample> pages(std::size_t samples) {
  const auto bytes =
      static_cast<std::size_t>(round_up(static_cast<Bytes>(samples * sizeof(Sample)), kPageBytes));
  Pages<Sample> memory(static_cast<Sample*>(std::aligned_alloc(kPageBytes, bytes)));
  std::memset(static_cast<void*>(memory.get()), 0, bytes);
  return memory;
}

/// The file bytes of all tracks, a row of fragments each, walked fragment by fragment.
class FileRing {
 public:
  explicit FileRing(SampleFormat format)
      : fragment_bytes_(kFrames * static_cast<std::size_t>(bytes_per_sample(format))),
        row_bytes_(static_cast<std::size_t>(
            round_up(static_cast<Bytes>(kRingFragments * fragment_bytes_), kPageBytes))),
        memory_(pages<std::byte>(kTracks * row_bytes_)) {
    if (is_float(format)) return;
    std::mt19937 random(1);
    for (std::size_t at = 0; at < kTracks * row_bytes_; ++at)
      memory_[at] = static_cast<std::byte>(random() & 0xffU);
  }
  const std::byte* fragment(std::size_t track) const {
    return memory_.get() + track * row_bytes_ + position_ * fragment_bytes_;
  }
  std::size_t fragment_bytes() const { return fragment_bytes_; }
  void advance() { position_ = (position_ + 1) % kRingFragments; }

 private:
  std::size_t fragment_bytes_;
  std::size_t row_bytes_;
  std::size_t position_ = 0;
  Pages<std::byte> memory_;
};

void count_samples(benchmark::State& state, std::size_t samples_each) {
  const auto samples = state.iterations() * static_cast<std::int64_t>(samples_each);
  state.SetItemsProcessed(samples);
  state.counters["s/sample"] = benchmark::Counter(static_cast<double>(samples),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetLabel(conversion_target());
}

void copy_file_bytes(benchmark::State& state) {
  FileRing ring(SampleFormat::s24_3le);
  const auto out = pages<std::byte>(kTracks * kFrames * sizeof(float));
  for (auto _ : state) {
    for (std::size_t track = 0; track < kTracks; ++track) {
      std::memcpy(out.get() + track * kFrames * sizeof(float), ring.fragment(track), ring.fragment_bytes());
    }
    benchmark::ClobberMemory();
    ring.advance();
  }
  count_samples(state, kTracks * kFrames);
}
BENCHMARK(copy_file_bytes);

void file_to_float(benchmark::State& state, SampleFormat format) {
  FileRing ring(format);
  const auto out = pages<float>(kTracks * kFrames);
  for (auto _ : state) {
    for (std::size_t track = 0; track < kTracks; ++track) {
      to_float(format, ring.fragment(track), kFrames, out.get() + track * kFrames);
    }
    benchmark::ClobberMemory();
    ring.advance();
  }
  count_samples(state, kTracks * kFrames);
}
BENCHMARK_CAPTURE(file_to_float, S24_3LE, SampleFormat::s24_3le);
BENCHMARK_CAPTURE(file_to_float, S16_LE, SampleFormat::s16_le);
BENCHMARK_CAPTURE(file_to_float, S32_LE, SampleFormat::s32_le);
BENCHMARK_CAPTURE(file_to_float, FLOAT_LE, SampleFormat::f32_le);

/// One fragment, over and over: arithmetic alone, everything in the first-level cache.
void cached_s24_to_float(benchmark::State& state) {
  const auto in = pages<std::byte>(3 * kFrames);
  const auto out = pages<float>(kFrames);
  for (auto _ : state) {
    to_float(SampleFormat::s24_3le, in.get(), kFrames, out.get());
    benchmark::ClobberMemory();
  }
  count_samples(state, kFrames);
}
BENCHMARK(cached_s24_to_float);

void mix_mono_tracks(benchmark::State& state) {
  const auto tracks = pages<float>(kTracks * kFrames);
  const auto planar = pages<float>(2 * kFrames);
  const PlanarFrames sum{planar.get(), 2, kFrames};
  for (auto _ : state) {
    clear(sum, kFrames);
    for (std::size_t track = 0; track < kTracks; ++track) {
      mix_add({tracks.get() + track * kFrames, 1, static_cast<std::int64_t>(track)}, 1.0F / kTracks, kFrames,
              sum);
    }
    benchmark::ClobberMemory();
  }
  count_samples(state, kTracks * kFrames);
}
BENCHMARK(mix_mono_tracks);

void convert_and_mix(benchmark::State& state) {
  FileRing ring(SampleFormat::s24_3le);
  const auto tracks = pages<float>(kTracks * kFrames);
  const auto planar = pages<float>(2 * kFrames);
  const auto frames = pages<float>(2 * kFrames);
  const auto card = pages<std::byte>(8 * kFrames);
  const PlanarFrames sum{planar.get(), 2, kFrames};
  for (auto _ : state) {
    for (std::size_t track = 0; track < kTracks; ++track) {
      to_float(SampleFormat::s24_3le, ring.fragment(track), kFrames, tracks.get() + track * kFrames);
    }
    clear(sum, kFrames);
    for (std::size_t track = 0; track < kTracks; ++track) {
      mix_add({tracks.get() + track * kFrames, 1, static_cast<std::int64_t>(track)}, 1.0F / kTracks, kFrames,
              sum);
    }
    interleave(sum, kFrames, frames.get());
    benchmark::DoNotOptimize(from_float(SampleFormat::s32_le, frames.get(), 2 * kFrames, card.get()));
    ring.advance();
  }
  count_samples(state, kTracks * kFrames);
}
BENCHMARK(convert_and_mix);

void float_to_card(benchmark::State& state, SampleFormat format) {
  const auto in = pages<float>(2 * kFrames);
  const auto out = pages<std::byte>(8 * kFrames);
  for (auto _ : state) {
    benchmark::DoNotOptimize(from_float(format, in.get(), 2 * kFrames, out.get()));
    benchmark::ClobberMemory();
  }
  count_samples(state, 2 * kFrames);
}
BENCHMARK_CAPTURE(float_to_card, S32_LE, SampleFormat::s32_le);
BENCHMARK_CAPTURE(float_to_card, S24_3LE, SampleFormat::s24_3le);
BENCHMARK_CAPTURE(float_to_card, S16_LE, SampleFormat::s16_le);
BENCHMARK_CAPTURE(float_to_card, FLOAT_LE, SampleFormat::f32_le);

}  // namespace
}  // namespace xrunlab
