// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
// Sample conversion between what stands in a file, float or 32-bit integers inside, and what
// the card takes. Used by the playback loop, by the decoder and by tests. The vector code is chosen at run
// time for this CPU; every choice gives the same bits. Pointers to bytes need no alignment; nothing outside
// the given samples is read or written; input and output must not overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "xrunlab/core/sample_format.hpp"

namespace xrunlab {

/// Detects the CPU, once, and names the vector instructions that conversion and mixing use: "AVX2", "SSE4",
/// "SCALAR". Call it in set-up, or the first conversion does the detection (a few traps in a virtual
/// machine).
const char* conversion_target() noexcept;

/// Full scale of integers becomes -1 … +1: x / 2^(bits - 1), U8 around 128. Exact for integers up to 24 bits
/// and for 32-bit floats, which pass untouched; S32 and FLOAT64 are rounded to the nearest float, ties to
/// even. Only the low three bytes of S24_LE count. Thread: any. Real-time: wait-free.
void to_float(SampleFormat from, const std::byte* in, std::size_t samples, float* out) noexcept;

/// Left-justified: the most significant bit of every format becomes bit 31. Exact for integers; floats are
/// rounded to the nearest, ties to even, and clipped to full scale, NaN becomes 0. Returns how many floats
/// lay outside -1 … +1. Thread: any. Real-time: wait-free.
std::size_t to_int32(SampleFormat from, const std::byte* in, std::size_t samples, std::int32_t* out) noexcept;

/// Rounds x * 2^(bits - 1) to the nearest, ties to even, and clips it to the range of `to`; NaN becomes 0.
/// S24_LE repeats its sign in the top byte, as alsa-lib does. Float formats are not clipped (they have room
/// above full scale), only their NaN is removed. What to_float made of integers up to 24 bits comes back
/// exactly in every integer format that is at least as wide. Returns how many samples lay outside -1 … +1; +1
/// itself becomes the largest integer and is not counted. Thread: any. Real-time: wait-free.
std::size_t from_float(SampleFormat to, const float* in, std::size_t samples, std::byte* out) noexcept;

/// The inverse of to_int32: narrower integers are rounded to the nearest, ties upwards, and clipped at the
/// top; FLOAT is rounded to the nearest, ties to even. Exact where the sample fits. Thread: any. Real-time:
/// wait-free.
void from_int32(SampleFormat to, const std::int32_t* in, std::size_t samples, std::byte* out) noexcept;

}  // namespace xrunlab
