#include "xrunlab/disk/wave64.hpp"

#include <algorithm>
#include <array>

#include "xrunlab/disk/chunk.hpp"
#include "xrunlab/disk/sample_extent.hpp"
#include "xrunlab/disk/wave_format.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kGuidBytes = 16;
constexpr Bytes kWave64HeaderBytes = kGuidBytes + 8;
constexpr Bytes kFirstWave64Chunk = kWave64HeaderBytes + kGuidBytes;  // behind riff, its size and wave
constexpr Bytes kAlignment = 8;
constexpr int kMostWave64Chunks = 10'000;

using GuidTail = std::array<std::uint8_t, 12>;
constexpr GuidTail kRiffTail{0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00};
constexpr GuidTail kWaveTail{0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a};

bool is_guid(BoundedReader& reader, Bytes offset, const std::string& id, const GuidTail& tail) {
  if (reader.four_characters(offset) != id) return false;
  for (std::size_t index = 0; index < tail.size(); ++index) {
    if (reader.u8(offset + 4 + static_cast<Bytes>(index)) != tail[index]) return false;
  }
  return true;
}

/// Whether any chunk's id stands at `offset`: all end in one of the two tails.
bool is_any_guid(BoundedReader& reader, Bytes offset) {
  if (!reader.holds(offset, kWave64HeaderBytes)) return false;
  const std::string id = reader.four_characters(offset);
  return is_guid(reader, offset, id, kWaveTail) || is_guid(reader, offset, id, kRiffTail);
}

SampleExtent wave64_data(BoundedReader& reader, Bytes body, std::uint64_t size) {
  SampleExtent extent;
  extent.where = "data chunk";
  extent.offset = body;
  if (is_endless(size)) return extent;
  const auto header = static_cast<std::uint64_t>(kWave64HeaderBytes);
  extent.declared = size > header ? size - header : 0;
  extent.chunk_behind = *extent.declared == 0 && is_any_guid(reader, body);
  return extent;
}

/// Bytes of the body of a chunk that is not the samples; it must lie within the file.
Bytes body_bytes(BoundedReader& reader, Bytes start, std::uint64_t size) {
  const Bytes left = reader.left_from(start);
  if (size >= static_cast<std::uint64_t>(kWave64HeaderBytes) && size <= static_cast<std::uint64_t>(left)) {
    return static_cast<Bytes>(size) - kWave64HeaderBytes;
  }
  refuse_overlong(reader, reader.four_characters(start), std::to_string(size), left);
}

}  // namespace

void parse_wave64(BoundedReader& reader, LengthRule rule, AudioFile& file) {
  const bool complete = reader.holds(0, kFirstWave64Chunk);
  if (!complete || !is_guid(reader, 0, "riff", kRiffTail) ||
      !is_guid(reader, kWave64HeaderBytes, "wave", kWaveTail)) {
    reader.refuse("starts like Wave64, but its header is not one");
  }
  file.container = "w64";
  bool has_format = false;
  Bytes position = kFirstWave64Chunk;
  for (int chunks = 0; chunks < kMostWave64Chunks && reader.holds(position, kWave64HeaderBytes); ++chunks) {
    const std::uint64_t size = reader.u64(position + kGuidBytes, ByteOrder::little);
    const Bytes body = position + kWave64HeaderBytes;
    if (is_guid(reader, position, "data", kWaveTail)) {
      if (!has_format) reader.refuse("the data chunk stands before the fmt chunk");
      if (size > 0 && size < std::uint64_t{kWave64HeaderBytes}) {
        reader.refuse("the data chunk says " + std::to_string(size) + " bytes, its own header has 24");
      }
      settle_extent(reader, wave64_data(reader, body, size), rule, file);
      return;
    }
    const Bytes bytes = body_bytes(reader, position, size);
    if (!has_format && is_guid(reader, position, "fmt ", kWaveTail)) {
      parse_wave_format(reader, body, static_cast<std::uint64_t>(bytes), ByteOrder::little, file);
      has_format = true;
    }
    position = body + std::min(round_up(bytes, kAlignment), reader.left_from(body));
  }
  reader.refuse(has_format ? "no data chunk: the recording was not finished"
                           : "no fmt chunk and no data chunk");
}

}  // namespace xrunlab
