// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
// One sample of each format, read and written with plain C++: the reference for the vector
// code, its tail, and the whole conversion of the formats that are too rare for it. Private to the room.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "xrunlab/core/sample_format.hpp"

namespace xrunlab::codec {

static_assert(std::endian::native == std::endian::little, "little-endian samples are taken as they stand");

inline constexpr double kInt32Scale = 2147483648.0;  // 2^31

constexpr bool big_endian(SampleFormat format) {
  return format == SampleFormat::s16_be || format == SampleFormat::s24_3be ||
         format == SampleFormat::s32_be || format == SampleFormat::f32_be || format == SampleFormat::f64_be;
}

constexpr bool real(SampleFormat format) {
  return format >= SampleFormat::f32_le;
}

constexpr bool packed_24(SampleFormat format) {
  return format == SampleFormat::s24_3le || format == SampleFormat::s24_3be;
}

/// Compile-time twins of bytes_per_sample and significant_bits.
constexpr std::size_t byte_count(SampleFormat format) {
  switch (format) {
    case SampleFormat::u8:
    case SampleFormat::s8:
      return 1;
    case SampleFormat::s16_le:
    case SampleFormat::s16_be:
      return 2;
    case SampleFormat::s24_3le:
    case SampleFormat::s24_3be:
      return 3;
    case SampleFormat::f64_le:
    case SampleFormat::f64_be:
      return 8;
    default:
      return 4;
  }
}
constexpr int bit_count(SampleFormat format) {
  return format == SampleFormat::s24_le ? 24 : static_cast<int>(8 * byte_count(format));
}

/// How many of `samples` a loop over vectors of `lanes` may take: a vector of packed 24-bit samples reads or
/// writes a third more than it uses, and that must still lie within the samples.
constexpr std::size_t vector_share(SampleFormat format, std::size_t samples, std::size_t lanes) {
  const std::size_t touched = packed_24(format) ? (4 * lanes + 2) / 3 : lanes;
  return samples < touched ? 0 : ((samples - touched) / lanes + 1) * lanes;
}

/// The bits of a sample of 2, 4 or 8 bytes in this machine's order.
template <SampleFormat format, class Bits>
Bits load_bits(const std::byte* at) noexcept {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  if constexpr (!big_endian(format)) return bits;
  if constexpr (sizeof bits == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof bits == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof bits == 8) return __builtin_bswap64(bits);
}

template <SampleFormat format, class Bits>
void store_bits(Bits bits, std::byte* at) noexcept {
  if constexpr (big_endian(format)) {
    if constexpr (sizeof bits == 2) bits = __builtin_bswap16(bits);
    if constexpr (sizeof bits == 4) bits = __builtin_bswap32(bits);
    if constexpr (sizeof bits == 8) bits = __builtin_bswap64(bits);
  }
  std::memcpy(at, &bits, sizeof bits);
}

/// x * 2^(bits - 1), rounded to the nearest, ties to even, and clipped; NaN gives 0.
template <int bits>
std::int32_t quantised(double x) noexcept {
  constexpr double kScale = static_cast<double>(std::int64_t{1} << (bits - 1));
  constexpr double kRounder = 0x1.8p52;  // a sum of this size has no room for a fraction
  if (x != x) return 0;
  const double clipped = std::min(std::max(x * kScale, -kScale), kScale - 1);
  return static_cast<std::int32_t>((clipped + kRounder) - kRounder);
}

template <SampleFormat format>
auto read_real(const std::byte* at) noexcept {
  if constexpr (byte_count(format) == 8) {
    return std::bit_cast<double>(load_bits<format, std::uint64_t>(at));
  } else {
    return std::bit_cast<float>(load_bits<format, std::uint32_t>(at));
  }
}

/// One sample, left-justified in 32 bits.
template <SampleFormat format>
std::int32_t read_int32(const std::byte* at) noexcept {
  const auto octet = [at](int index) { return std::to_integer<std::uint32_t>(at[index]); };
  std::uint32_t bits = 0;
  if constexpr (format == SampleFormat::u8) {
    bits = (octet(0) ^ 0x80U) << 24;
  } else if constexpr (format == SampleFormat::s8) {
    bits = octet(0) << 24;
  } else if constexpr (byte_count(format) == 2) {
    bits = static_cast<std::uint32_t>(load_bits<format, std::uint16_t>(at)) << 16;
  } else if constexpr (format == SampleFormat::s24_3le) {
    bits = octet(0) << 8 | octet(1) << 16 | octet(2) << 24;
  } else if constexpr (format == SampleFormat::s24_3be) {
    bits = octet(2) << 8 | octet(1) << 16 | octet(0) << 24;
  } else if constexpr (format == SampleFormat::s24_le) {
    bits = load_bits<format, std::uint32_t>(at) << 8;
  } else if constexpr (format == SampleFormat::s32_le || format == SampleFormat::s32_be) {
    bits = load_bits<format, std::uint32_t>(at);
  } else {
    return quantised<32>(static_cast<double>(read_real<format>(at)));
  }
  return static_cast<std::int32_t>(bits);
}

template <SampleFormat format>
float read_float(const std::byte* at) noexcept {
  if constexpr (real(format)) {
    return static_cast<float>(read_real<format>(at));
  } else {
    return static_cast<float>(read_int32<format>(at)) * static_cast<float>(1 / kInt32Scale);
  }
}

/// An integer in the format's own width; it must lie in its range.
template <SampleFormat format>
void write_integer(std::int32_t value, std::byte* at) noexcept {
  const auto bits = static_cast<std::uint32_t>(value);
  if constexpr (format == SampleFormat::u8) {
    *at = static_cast<std::byte>((bits + 128U) & 0xffU);
  } else if constexpr (format == SampleFormat::s8) {
    *at = static_cast<std::byte>(bits & 0xffU);
  } else if constexpr (byte_count(format) == 2) {
    store_bits<format>(static_cast<std::uint16_t>(bits), at);
  } else if constexpr (packed_24(format)) {
    constexpr int kFirst = big_endian(format) ? 2 : 0;
    at[kFirst] = static_cast<std::byte>(bits & 0xffU);
    at[1] = static_cast<std::byte>(bits >> 8 & 0xffU);
    at[2 - kFirst] = static_cast<std::byte>(bits >> 16 & 0xffU);
  } else {
    store_bits<format>(bits, at);
  }
}

template <SampleFormat format>
void write_real(double value, std::byte* at) noexcept {
  if constexpr (byte_count(format) == 8) {
    store_bits<format>(std::bit_cast<std::uint64_t>(value), at);
  } else {
    store_bits<format>(std::bit_cast<std::uint32_t>(static_cast<float>(value)), at);
  }
}

template <SampleFormat format>
void write_float(float value, std::byte* at) noexcept {
  if constexpr (real(format)) {
    write_real<format>(value != value ? 0.0 : static_cast<double>(value), at);
  } else {
    write_integer<format>(quantised<bit_count(format)>(static_cast<double>(value)), at);
  }
}

template <SampleFormat format>
void write_int32(std::int32_t value, std::byte* at) noexcept {
  if constexpr (real(format)) {
    write_real<format>(static_cast<double>(value) / kInt32Scale, at);
  } else if constexpr (bit_count(format) == 32) {
    write_integer<format>(value, at);
  } else {
    constexpr int kShift = 32 - bit_count(format);
    constexpr std::int64_t kLargest = (std::int64_t{1} << (bit_count(format) - 1)) - 1;
    constexpr std::int64_t kHalf = std::int64_t{1} << (kShift - 1);
    const std::int64_t rounded = (std::int64_t{value} + kHalf) >> kShift;
    write_integer<format>(static_cast<std::int32_t>(std::min(rounded, kLargest)), at);
  }
}

inline bool over_full_scale(float value) noexcept {
  return value > 1.0F || value < -1.0F;
}

/// Calls f(std::integral_constant<SampleFormat, …>) for the given format.
template <class F>
decltype(auto) with_format(SampleFormat format, F&& f) noexcept {
  using enum SampleFormat;
  switch (format) {
    case u8:
      return f(std::integral_constant<SampleFormat, u8>{});
    case s8:
      return f(std::integral_constant<SampleFormat, s8>{});
    case s16_le:
      return f(std::integral_constant<SampleFormat, s16_le>{});
    case s16_be:
      return f(std::integral_constant<SampleFormat, s16_be>{});
    case s24_3le:
      return f(std::integral_constant<SampleFormat, s24_3le>{});
    case s24_3be:
      return f(std::integral_constant<SampleFormat, s24_3be>{});
    case s24_le:
      return f(std::integral_constant<SampleFormat, s24_le>{});
    case s32_le:
      return f(std::integral_constant<SampleFormat, s32_le>{});
    case s32_be:
      return f(std::integral_constant<SampleFormat, s32_be>{});
    case f32_le:
      return f(std::integral_constant<SampleFormat, f32_le>{});
    case f32_be:
      return f(std::integral_constant<SampleFormat, f32_be>{});
    case f64_le:
      return f(std::integral_constant<SampleFormat, f64_le>{});
    case f64_be:
      return f(std::integral_constant<SampleFormat, f64_be>{});
  }
  __builtin_unreachable();
}

}  // namespace xrunlab::codec
