// The units that every room shares: frames, bytes, rates and durations, and the exact conversions between
// them. A frame is one sample of every channel. Durations are integer nanoseconds of CLOCK_MONOTONIC unless
// said.
#pragma once

#include <chrono>
#include <cstdint>

namespace xrunlab {

__extension__ typedef __int128 Int128;  // products of nanoseconds and rates do not fit 64 bits

using Frames = std::int64_t;
using Bytes = std::int64_t;
using Nanoseconds = std::chrono::nanoseconds;

inline constexpr std::int64_t kNsPerSecond = 1'000'000'000;
inline constexpr Bytes kPageBytes = 4096;

/// Frames per second of a file or a card.
struct SampleRate {
  std::uint32_t hz = 0;
  friend bool operator==(SampleRate, SampleRate) = default;
};

/// Length of `frames` at `rate`, rounded down to whole nanoseconds: floor(frames * 10^9 / hz). rate.hz must
/// not be 0.
constexpr Nanoseconds frames_to_duration(Frames frames, SampleRate rate) noexcept {
  return Nanoseconds{static_cast<std::int64_t>(static_cast<Int128>(frames) * kNsPerSecond / rate.hz)};
}

/// Frames that pass in `duration`, rounded up: ceil(duration * hz / 10^9). Negative durations give 0.
constexpr Frames duration_to_frames_ceil(Nanoseconds duration, SampleRate rate) noexcept {
  if (duration.count() <= 0) return 0;
  return static_cast<Frames>((static_cast<Int128>(duration.count()) * rate.hz + kNsPerSecond - 1) /
                             kNsPerSecond);
}

constexpr double to_seconds(Nanoseconds duration) noexcept {
  return static_cast<double>(duration.count()) * 1e-9;
}

constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) noexcept {
  return (value + unit - 1) / unit * unit;
}
constexpr std::int64_t round_down(std::int64_t value, std::int64_t unit) noexcept {
  return value / unit * unit;
}

}  // namespace xrunlab
