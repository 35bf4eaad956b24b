#include "xrunlab/disk/raw_ring_plan.hpp"

#include <algorithm>
#include <cmath>

namespace xrunlab {
namespace {

constexpr int kAssumedBits = 16;
// What a decoder reads in one piece: an Ogg page has up to 65,307 bytes; libsndfile's own buffer 8 KiB, as
// libFLAC's.
constexpr Bytes kLargestUnit = 64 * 1024;
constexpr Bytes kDecoderBuffer = 8 * 1024;
// Frames of the streamable subset of FLAC (RFC 9639, section 7).
constexpr Frames kFlacFrame = 4608;
constexpr Frames kFlacFrameAboveRate = 16'384;
constexpr std::uint32_t kFlacRate = 48'000;

/// No codec is much larger than the samples themselves.
Bytes pcm_bytes(const AudioFile& file, Frames frames) noexcept {
  const int bits = file.valid_bits > 0 ? file.valid_bits : kAssumedBits;
  return frames * file.channels * ((bits + 7) / 8);
}

}  // namespace

DataExtent raw_extent(const AudioFile& file, const CodedStream& stream) noexcept {
  return {std::min(stream.streaming_offset(), file.file_bytes), file.file_bytes};
}

RawRate raw_rate(const AudioFile& file, DataExtent raw) noexcept {
  const double hz = file.rate.hz;
  if (!file.frames_known || file.frames <= 0) {
    return {static_cast<double>(pcm_bytes(file, 1)) * hz, true};
  }
  const auto bytes = static_cast<double>(std::max<Bytes>(raw.end - raw.begin, 1));
  return {bytes * hz / static_cast<double>(file.frames), false};
}

double raw_ns_per_byte(const AudioFile& file, DataExtent raw) noexcept {
  return static_cast<double>(kNsPerSecond) / raw_rate(file, raw).bytes_per_second;
}

Bytes raw_bytes_ahead(const AudioFile& file) noexcept {
  const bool flac = file.codec.starts_with("FLAC");
  const Frames unit = file.rate.hz <= kFlacRate ? kFlacFrame : kFlacFrameAboveRate;
  const Bytes in_one_piece = flac ? pcm_bytes(file, unit) : kLargestUnit;
  return pcm_bytes(file, kDecodedChunk) + in_one_piece + kDecoderBuffer;
}

RingGeometry plan_raw_ring(const AudioFile& file, DataExtent raw, Nanoseconds ring) {
  const double asked = std::ceil(to_seconds(ring) * raw_rate(file, raw).bytes_per_second);
  const Bytes ahead = raw_bytes_ahead(file);
  return plan_ring({.ring = std::max(static_cast<Bytes>(asked), 2 * ahead),
                    .frame_bytes = 1,
                    .fragment = ahead,
                    .io_size = std::nullopt,
                    .looped = std::nullopt});
}

Frames decoded_capacity(const AudioFile& file, const RingGeometry& geometry) noexcept {
  const Bytes frame_bytes = static_cast<Bytes>(sizeof(float)) * file.channels;
  return geometry.block_count * (geometry.block_bytes / frame_bytes);
}

}  // namespace xrunlab
