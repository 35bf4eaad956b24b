// Turns what a header claims about its samples into what can be played: one place for the rules about
// lengths that are right, too long, unknown, zero, wrapped at 4 GiB or no whole number of frames. Used by
// every header parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Where a header says that its samples are.
struct SampleExtent {
  std::string where;                      ///< what names the length in messages: "data chunk", "SSND chunk"
  Bytes offset = 0;                       ///< first byte of the samples
  std::optional<std::uint64_t> declared;  ///< bytes by the header; nothing: unknown, to the end of the file
  bool chunk_behind = false;              ///< a chunk stands right behind the declared end
  bool stray_bytes = false;  ///< what stands behind the declared end is no chunk, not even a cut one
  bool wraps = false;        ///< the length stands in 32 bits
  std::optional<std::uint64_t> unwrapped;  ///< what it was in more bits, when a chunk tells
};

/// Whether a 32-bit size is one of those that programs write to a pipe for want of a better one: FFFFFFFF,
/// 7FFFF000 (sox), 7F000000 (sox, AIFF), 80000000 (arecord) and the like, or one of these cut or filled up to
/// whole frames of `frame_bytes` (0: not known).
bool is_pipe_size(std::uint64_t size, Bytes frame_bytes) noexcept;

/// The same for sizes of 64 bits: −1, SF_COUNT_MAX, and what is left of them behind a header.
bool is_endless(std::uint64_t size) noexcept;

/// Refuses channels outside 1 … 1024 and rates outside 1 Hz … 10 MHz; sets both in `file`.
void set_channels_and_rate(const BoundedReader& reader, std::uint32_t channels, double rate_hz,
                           AudioFile& file);

/// Sets frames, data_offset, data_bytes, warnings and short_input of `file`, whose raw_format and channels
/// are set. The result lies within the file. Throws Error{input_file} when there is not one frame to play,
/// and for a length of 0 with samples behind it, unless `rule` says to ignore it. Coded samples have no
/// frames here, and their length of 0 cannot be ignored: it is libsndfile that reads them.
void settle_extent(const BoundedReader& reader, const SampleExtent& extent, LengthRule rule, AudioFile& file);

}  // namespace xrunlab
