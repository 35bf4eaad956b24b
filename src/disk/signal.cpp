#include "xrunlab/disk/signal.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace xrunlab {
namespace {

constexpr std::array<std::string_view, 3> kNames{"noise", "ramp", "tone"};

/// A multiple of 8, so that a chunk of any format is a whole number of 64-bit draws.
constexpr std::size_t kChunkSamples = 2048;

std::uint64_t splitmix64(std::uint64_t& state) noexcept {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

bool is_big_endian(SampleFormat format) noexcept {
  return format == SampleFormat::s16_be || format == SampleFormat::s24_3be ||
         format == SampleFormat::s32_be || format == SampleFormat::f32_be;
}

/// Bits of the integer from which a sample is made: a float's 24-bit mantissa, else the format's own.
int source_bits(SampleFormat format) noexcept {
  return is_float(format) ? 24 : significant_bits(format);
}

/// The format's bit pattern of a signed sample.
std::uint32_t encoded(SampleFormat format, std::int32_t sample) noexcept {
  if (is_float(format)) return std::bit_cast<std::uint32_t>(static_cast<float>(sample) * 0x1p-23f);
  const auto pattern = static_cast<std::uint32_t>(sample);
  return format == SampleFormat::u8 ? pattern ^ 0x80u : pattern;
}

void store(std::byte* to, std::uint32_t pattern, int width, bool big_endian) noexcept {
  for (int index = 0; index < width; ++index) {
    const int shift = 8 * (big_endian ? width - 1 - index : index);
    to[index] = static_cast<std::byte>(pattern >> shift);
  }
}

/// 2^30 * sin(2 pi phase / 2^32), rounded towards minus infinity in steps: the odd Taylor polynomial of
/// degree 17 in 60-bit fixed point, so that every machine gets the same number.
std::int32_t sine_q30(std::uint32_t phase) noexcept {
  // round(2^60 * (pi/2)^k / k!) for k = 1, 3, … 17
  constexpr std::array<std::int64_t, 9> kTerms{1811004864519280711, 744745899218905439, 91879342557802013,
                                               5397695021890950,    184976092165948,    4149183757585,
                                               65626285697,         771077950,          6994701};
  const std::uint32_t quarter = phase >> 30;
  const std::int64_t in_quarter = phase & 0x3FFFFFFF;
  const std::int64_t x = (quarter & 1) != 0 ? (std::int64_t{1} << 30) - in_quarter : in_quarter;
  const std::int64_t x_squared = x * x;  // 60-bit fraction
  std::int64_t sum = kTerms.back();
  for (std::size_t term = kTerms.size() - 1; term-- > 0;) {
    sum = kTerms[term] - static_cast<std::int64_t>((static_cast<Int128>(sum) * x_squared) >> 60);
  }
  const auto sine = static_cast<std::int32_t>((static_cast<Int128>(sum) * x) >> 60);
  return quarter < 2 ? sine : -sine;
}

/// Turns the byte order of every sample around, in place.
void swap_samples(std::span<std::byte> samples, std::size_t width) noexcept {
  for (std::size_t at = 0; at + width <= samples.size(); at += width) {
    std::reverse(samples.begin() + static_cast<std::ptrdiff_t>(at),
                 samples.begin() + static_cast<std::ptrdiff_t>(at + width));
  }
}

}  // namespace

std::string_view to_string(Signal signal) noexcept {
  return kNames[static_cast<std::size_t>(signal)];
}

std::optional<Signal> signal_from(std::string_view name) noexcept {
  for (std::size_t index = 0; index < kNames.size(); ++index) {
    if (kNames[index] == name) return static_cast<Signal>(index);
  }
  return std::nullopt;
}

Xoshiro256::Xoshiro256(std::uint64_t seed, int track_index) noexcept {
  std::uint64_t state = seed;
  state = splitmix64(state) ^ static_cast<std::uint64_t>(track_index);
  for (auto& word : state_) word = splitmix64(state);
}

std::int32_t ramp_sample(int bits, std::int64_t lane, Frames frame) noexcept {
  // An odd step visits every value before one comes again; its size lets every width sweep its range in 2^16
  // frames (8 bits: 2^8).
  const std::uint32_t step = bits <= 16 ? 1 : bits == 24 ? 0x101 : 0x10001;
  // Lanes start apart by the golden section of the range, so that no small shift in time looks like a shift
  // between channels.
  const std::uint32_t apart = (0x9E3779B1u >> (32 - bits)) | 1u;
  const std::uint32_t position = static_cast<std::uint32_t>(frame) + static_cast<std::uint32_t>(lane) * apart;
  const std::uint32_t value = (step * position) << (32 - bits);
  return static_cast<std::int32_t>(value ^ 0x80000000u) >> (32 - bits);
}

SignalStream::SignalStream(Signal signal, SampleFormat format, SampleRate rate, int channels, int track_index,
                           std::uint64_t seed)
    : signal_(signal),
      format_(format),
      rate_(rate),
      channels_(channels),
      first_lane_(static_cast<std::int64_t>(track_index) * channels),
      random_(seed, track_index),
      chunk_(kChunkSamples * static_cast<std::size_t>(bytes_per_sample(format))),
      chunk_used_(chunk_.size()) {}

void SignalStream::read(std::span<std::byte> out) {
  while (!out.empty()) {
    if (chunk_used_ == chunk_.size()) {
      while (out.size() >= chunk_.size()) {
        make_chunk(out.first(chunk_.size()));
        out = out.subspan(chunk_.size());
      }
      if (out.empty()) return;
      make_chunk(chunk_);
      chunk_used_ = 0;
    }
    const std::size_t count = std::min(out.size(), chunk_.size() - chunk_used_);
    std::memcpy(out.data(), chunk_.data() + chunk_used_, count);
    chunk_used_ += count;
    out = out.subspan(count);
  }
}

void SignalStream::make_chunk(std::span<std::byte> chunk) {
  const int bits = source_bits(format_);
  switch (signal_) {
    case Signal::noise:
      make_noise(chunk);
      return;
    case Signal::ramp:
      make_samples(chunk, [bits](std::int64_t lane, Frames frame) { return ramp_sample(bits, lane, frame); });
      return;
    case Signal::tone:
      make_samples(chunk, [bits, rate = rate_.hz](std::int64_t lane, Frames frame) {
        const std::uint64_t hz = 100 * (1 + static_cast<std::uint64_t>(lane) % 40);
        const auto step = static_cast<std::uint32_t>((hz << 32) / rate);
        return sine_q30(step * static_cast<std::uint32_t>(frame)) >> (32 - bits);
      });
      return;
  }
}

void SignalStream::make_noise(std::span<std::byte> chunk) {
  // A local copy stays in registers; through the member every store to `chunk` would force a reload.
  Xoshiro256 random = random_;
  for (std::size_t at = 0; at < chunk.size(); at += 8) {
    std::uint64_t word = random.next();
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    std::memcpy(chunk.data() + at, &word, 8);
  }
  random_ = random;
  const auto width = static_cast<std::size_t>(bytes_per_sample(format_));
  if (is_float(format_)) {
    for (std::size_t at = 0; at < chunk.size(); at += width) {
      std::uint32_t drawn = 0;
      for (std::size_t index = 0; index < 4; ++index) {
        drawn |= static_cast<std::uint32_t>(chunk[at + index]) << (8 * index);
      }
      store(chunk.data() + at, encoded(SampleFormat::f32_le, static_cast<std::int32_t>(drawn) >> 8), 4,
            false);
    }
  }
  if (format_ == SampleFormat::s8) {
    for (auto& byte : chunk) byte ^= std::byte{0x80};  // the same sound as the U8 of other containers
  }
  if (is_big_endian(format_)) swap_samples(chunk, width);
}

template <typename Sample>
void SignalStream::make_samples(std::span<std::byte> chunk, Sample sample_at) {
  const int width = bytes_per_sample(format_);
  const bool big_endian = is_big_endian(format_);
  for (std::size_t at = 0; at < chunk.size(); at += static_cast<std::size_t>(width)) {
    store(chunk.data() + at, encoded(format_, sample_at(first_lane_ + channel_, frame_)), width, big_endian);
    if (++channel_ == channels_) {
      channel_ = 0;
      ++frame_;
    }
  }
}

}  // namespace xrunlab
