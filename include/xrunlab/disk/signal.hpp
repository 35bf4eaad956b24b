// Makes the sample data of test material: noise, ramp or tone, the same bytes everywhere for the same seed.
// Only integer arithmetic decides a sample, so no libm and no standard distribution has a say; the exact
// definitions are in docs/test-material.md. Used by the set writer, on its thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

enum class Signal : std::uint8_t {
  noise,  ///< full scale, every value of the format equally likely; every track has its own stream
  ramp,   ///< counts up over the full range; a lost, doubled or shifted sample or channel shows
  tone,   ///< a sine at half of full scale, 100 Hz to 4 kHz, another one for each channel
};

std::string_view to_string(Signal signal) noexcept;
std::optional<Signal> signal_from(std::string_view name) noexcept;

/// xoshiro256** 1.0 (Blackman and Vigna), its state filled by splitmix64 from (seed, track).
class Xoshiro256 {
 public:
  /// `track_index` counts from 0.
  Xoshiro256(std::uint64_t seed, int track_index) noexcept;

  std::uint64_t next() noexcept {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

 private:
  static std::uint64_t rotate(std::uint64_t value, int by) noexcept {
    return (value << by) | (value >> (64 - by));
  }
  std::array<std::uint64_t, 4> state_;
};

/// The ramp's sample as a signed number of the format's width (for floats 24 bits, the value being it /
/// 2^23). `lane` is track_index * channels + channel, `bits` 8, 16, 24 or 32.
std::int32_t ramp_sample(int bits, std::int64_t lane, Frames frame) noexcept;

/// The sample data of one track, as a stream of bytes in any portions.
class SignalStream {
 public:
  /// `format` one of U8 S8 S16 S24_3 S32 FLOAT in either byte order.
  SignalStream(Signal signal, SampleFormat format, SampleRate rate, int channels, int track_index,
               std::uint64_t seed);

  /// The next out.size() bytes of the track. The stream never ends.
  void read(std::span<std::byte> out);

 private:
  void make_chunk(std::span<std::byte> chunk);
  void make_noise(std::span<std::byte> chunk);
  template <typename Sample>
  void make_samples(std::span<std::byte> chunk, Sample sample_at);

  Signal signal_;
  SampleFormat format_;
  SampleRate rate_;
  int channels_;
  std::int64_t first_lane_;
  Xoshiro256 random_;
  Frames frame_ = 0;
  int channel_ = 0;
  std::vector<std::byte> chunk_;
  std::size_t chunk_used_;
};

}  // namespace xrunlab
