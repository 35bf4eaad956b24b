// How one sample stands in memory or in a file. Names are ALSA's (S24_3LE is three packed bytes, S24_LE the
// low three of four). Used by the file parsers, the conversions and the card alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace xrunlab {

enum class SampleFormat : std::uint8_t {
  u8,
  s8,
  s16_le,
  s16_be,
  s24_3le,
  s24_3be,
  s24_le,
  s32_le,
  s32_be,
  f32_le,
  f32_be,
  f64_le,
  f64_be,
};

/// Bytes that one sample takes: 1, 2, 3, 4 or 8.
int bytes_per_sample(SampleFormat format) noexcept;

/// Bits of an integer sample that carry sound (24 for S24_LE), or the width of a float.
int significant_bits(SampleFormat format) noexcept;

bool is_float(SampleFormat format) noexcept;

/// ALSA's name, such as "S24_3LE", "FLOAT_LE", "FLOAT64_BE".
std::string_view to_string(SampleFormat format) noexcept;

/// The inverse of to_string, case-insensitive; nothing for an unknown name.
std::optional<SampleFormat> sample_format_from(std::string_view name) noexcept;

}  // namespace xrunlab
