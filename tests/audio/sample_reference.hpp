// What the conversions are measured against: every format taken apart bit by bit, in double precision.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "xrunlab/core/sample_format.hpp"

namespace xrunlab {

using enum SampleFormat;

inline std::size_t size_of(SampleFormat format) {
  return static_cast<std::size_t>(bytes_per_sample(format));
}

inline bool stored_big_endian(SampleFormat format) {
  return to_string(format).ends_with("BE");
}

/// The bits of one sample as a number, read byte by byte.
inline std::uint64_t bits_at(SampleFormat format, const std::byte* at) {
  std::uint64_t bits = 0;
  const std::size_t size = size_of(format);
  for (std::size_t index = 0; index < size; ++index) {
    const std::size_t from_top = stored_big_endian(format) ? index : size - 1 - index;
    bits = bits << 8 | std::to_integer<std::uint64_t>(at[from_top]);
  }
  return bits;
}

/// The value of one sample, full scale ±1: what the conversions are measured against.
inline double reference_value(SampleFormat format, const std::byte* at) {
  const std::uint64_t bits = bits_at(format, at);
  if (format == f32_le || format == f32_be) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (format == f64_le || format == f64_be) return std::bit_cast<double>(bits);
  if (format == u8) return (static_cast<double>(bits) - 128.0) / 128.0;
  const int width = significant_bits(format);
  const auto shifted = static_cast<std::int64_t>(bits << (64 - width));
  return static_cast<double>(shifted) / 0x1p63;
}

/// A float as an integer of `width` bits: rounded to the nearest, ties to even, clipped, NaN is 0.
inline std::int64_t reference_integer(double value, int width) {
  if (std::isnan(value)) return 0;
  const double scale = std::ldexp(1.0, width - 1);
  return static_cast<std::int64_t>(std::nearbyint(std::fmin(std::fmax(value * scale, -scale), scale - 1)));
}

/// What stands in the file for the given value (integers in the format's own width).
inline std::uint64_t reference_bits(SampleFormat format, double value) {
  if (format == f32_le || format == f32_be) {
    return std::bit_cast<std::uint32_t>(std::isnan(value) ? 0.0F : static_cast<float>(value));
  }
  if (format == f64_le || format == f64_be) {
    return std::bit_cast<std::uint64_t>(std::isnan(value) ? 0.0 : value);
  }
  const auto integer = static_cast<std::uint64_t>(reference_integer(value, significant_bits(format)));
  const std::uint64_t stored = format == u8 ? integer + 128 : integer;
  return stored & (~std::uint64_t{0} >> (64 - 8 * size_of(format)));
}

}  // namespace xrunlab
