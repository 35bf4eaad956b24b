#include "xrunlab/disk/caf.hpp"

#include <bit>

#include "xrunlab/disk/chunk.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/raw_format.hpp"
#include "xrunlab/disk/sample_extent.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kFirstCafChunk = 8;  // behind "caff", version and flags
constexpr Bytes kCafHeaderBytes = 12;
constexpr Bytes kDescBytes = 32;
constexpr Bytes kEditCountBytes = 4;  // in front of the samples, within the data chunk
constexpr int kMostCafChunks = 10'000;
constexpr std::int64_t kUnknownCafSize = -1;

void parse_desc(BoundedReader& reader, Bytes body, AudioFile& file) {
  constexpr std::uint32_t kFloatFlag = 1;
  constexpr std::uint32_t kLittleEndianFlag = 2;
  if (!reader.holds(body, kDescBytes)) reader.refuse("the desc chunk is cut off");
  const auto rate = std::bit_cast<double>(reader.u64(body, ByteOrder::big));
  const std::string codec = reader.four_characters(body + 8);
  const std::uint32_t flags = reader.u32(body + 12, ByteOrder::big);
  const std::uint32_t packet_bytes = reader.u32(body + 16, ByteOrder::big);
  const std::uint32_t channels = reader.u32(body + 24, ByteOrder::big);
  const std::uint32_t bits = reader.u32(body + 28, ByteOrder::big);
  set_channels_and_rate(reader, channels, rate, file);
  if (codec != "lpcm") {
    file.codec = quoted_text(codec);
    return;
  }
  const std::uint32_t frames_per_packet = reader.u32(body + 20, ByteOrder::big);
  if (frames_per_packet != 1 || packet_bytes % channels != 0 || packet_bytes / channels > 8 || bits > 64) {
    reader.refuse("CAF packets of " + std::to_string(packet_bytes) + " bytes with " +
                  std::to_string(frames_per_packet) + " frames of " + std::to_string(channels) +
                  " channels of " + std::to_string(bits) + " bits cannot be played");
  }
  RawLayout layout;
  layout.kind = (flags & kFloatFlag) != 0 ? SampleKind::floating : SampleKind::integer;
  layout.order = (flags & kLittleEndianFlag) != 0 ? ByteOrder::little : ByteOrder::big;
  layout.bits = static_cast<int>(bits);
  layout.bytes = static_cast<int>(packet_bytes / channels);
  set_raw_format(reader, layout, file);
}

/// Whether a chunk that lies wholly in the file starts at `offset`.
bool is_chunk(BoundedReader& reader, Bytes offset) {
  if (!reader.holds(offset, kCafHeaderBytes) || !is_plausible_id(reader.four_characters(offset)))
    return false;
  const auto size = static_cast<std::int64_t>(reader.u64(offset + 4, ByteOrder::big));
  return reader.holds(offset + kCafHeaderBytes, size);
}

SampleExtent caf_data(BoundedReader& reader, Bytes body, std::int64_t size) {
  SampleExtent extent;
  extent.where = "data chunk";
  extent.offset = body + std::min(kEditCountBytes, reader.left_from(body));
  if (size == kUnknownCafSize || is_endless(static_cast<std::uint64_t>(size))) return extent;
  extent.declared = size > kEditCountBytes ? static_cast<std::uint64_t>(size - kEditCountBytes) : 0;
  extent.chunk_behind = *extent.declared == 0 && is_chunk(reader, body + size);
  return extent;
}

/// The start of the chunk behind; the chunk must lie within the file.
Bytes skip(BoundedReader& reader, Bytes start, std::int64_t size) {
  const Bytes left = reader.left_from(start + kCafHeaderBytes);
  if (size < 0 || size > left) {
    refuse_overlong(reader, reader.four_characters(start), std::to_string(size), left);
  }
  return start + kCafHeaderBytes + size;
}

}  // namespace

void parse_caf(BoundedReader& reader, LengthRule rule, AudioFile& file) {
  if (!reader.holds(0, kFirstCafChunk)) reader.refuse("a CAF header cut off");
  if (reader.u16(4, ByteOrder::big) != 1) reader.refuse("a CAF file of a version other than 1");
  file.container = "caf";
  bool has_desc = false;
  Bytes position = kFirstCafChunk;
  for (int chunks = 0; chunks < kMostCafChunks && reader.holds(position, kCafHeaderBytes); ++chunks) {
    const std::string id = reader.four_characters(position);
    const auto size = static_cast<std::int64_t>(reader.u64(position + 4, ByteOrder::big));
    const Bytes body = position + kCafHeaderBytes;
    if (id == "data") {
      if (!has_desc) reader.refuse("the data chunk stands before the desc chunk");
      if (size < kUnknownCafSize) reader.refuse("the data chunk claims " + std::to_string(size) + " bytes");
      settle_extent(reader, caf_data(reader, body, size), rule, file);
      return;
    }
    position = skip(reader, position, size);
    if (id == "desc" && !has_desc) {
      if (size < kDescBytes) reader.refuse("the desc chunk has " + std::to_string(size) + " bytes, not 32");
      parse_desc(reader, body, file);
      has_desc = true;
    }
  }
  if (reader.holds(position, kCafHeaderBytes)) {
    reader.refuse("more than " + std::to_string(kMostCafChunks) +
                  " chunks before the samples: the header is broken");
  }
  reader.refuse(has_desc ? "no data chunk: the recording was not finished"
                         : "no desc chunk and no data chunk");
}

}  // namespace xrunlab
