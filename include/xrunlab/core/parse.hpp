// Reads the sizes, times, rates and gains that people type, independent of the locale. Every function throws
// Error{ExitCode::usage} that names `option` and says what is accepted.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// An audio size as typed: frames (a plain number), a time (5s, 250ms) or bytes (20MiB, 20MB).
struct FrameCount {
  Frames value;
  friend bool operator==(FrameCount, FrameCount) = default;
};
struct ByteCount {
  Bytes value;
  friend bool operator==(ByteCount, ByteCount) = default;
};
using AudioSize = std::variant<FrameCount, Nanoseconds, ByteCount>;

AudioSize parse_audio_size(std::string_view option, std::string_view text);

/// Bytes: a plain number, or with KiB MiB GiB kB MB GB. A bare "2M" or "64k" is refused with the two meanings
/// it could have.
Bytes parse_bytes(std::string_view option, std::string_view text);

/// Time with us ms s m h; a plain number is seconds. "1.5s" is accepted; negative values are refused.
Nanoseconds parse_duration(std::string_view option, std::string_view text);

/// Whole microseconds, as cyclictest takes them, or a time with its unit; 0 to `most`.
Nanoseconds parse_microseconds(std::string_view option, std::string_view text,
                               std::chrono::microseconds most);

/// 44100 or 44.1k, with an optional "Hz"; 1 … 10,000,000.
SampleRate parse_rate(std::string_view option, std::string_view text);

/// Decibels, "-40", "0dB", "-6.5 dB"; -200 … +60. Returns dB.
double parse_gain_db(std::string_view option, std::string_view text);

/// A share as 0.5 or 50%, from 0 to `most`. Returns it as 0.5.
double parse_share(std::string_view option, std::string_view text, double most = 1);

/// What stands between commas, nothing of it empty.
std::vector<std::string> parse_list(std::string_view option, std::string_view text);

/// A whole number from `least` to `most`.
std::int64_t parse_integer(std::string_view option, std::string_view text, std::int64_t least,
                           std::int64_t most);

}  // namespace xrunlab
