#include "xrunlab/disk/mpeg_header.hpp"

#include <algorithm>
#include <string>

namespace xrunlab {
namespace {

constexpr Bytes kFrameHeaderBytes = 4;

/// Bytes of an ID3v2 tag at `offset`; 0: there is none.
Bytes tag_bytes(BoundedReader& reader, Bytes offset) {
  constexpr Bytes kTagHeaderBytes = 10;
  if (!reader.holds(offset, kTagHeaderBytes) || !reader.four_characters(offset).starts_with("ID3")) return 0;
  Bytes size = 0;
  for (Bytes at = offset + 6; at < offset + kTagHeaderBytes; ++at) size = size << 7 | (reader.u8(at) & 0x7f);
  return size + kTagHeaderBytes;
}

/// Sync, and none of the values that are reserved.
bool is_frame_header(std::uint32_t header) noexcept {
  const bool sync = (header >> 21) == 0x7ff;
  const bool version = (header >> 19 & 3) != 1;
  const bool layer = (header >> 17 & 3) != 0;
  const bool bit_rate = (header >> 12 & 15) != 15;
  const bool rate = (header >> 10 & 3) != 3;
  return sync && version && layer && bit_rate && rate;
}

/// Where Xing's header stands in a frame of layer III: behind the checksum and the side information.
Bytes xing_offset(std::uint32_t header) noexcept {
  const bool mpeg_1 = (header >> 19 & 3) == 3;
  const bool mono = (header >> 6 & 3) == 3;
  const bool checksum = (header >> 16 & 1) == 0;
  const Bytes side = mpeg_1 ? (mono ? 17 : 32) : (mono ? 9 : 17);
  return kFrameHeaderBytes + side + (checksum ? 2 : 0);
}

}  // namespace

bool has_mpeg_length(BoundedReader& reader) {
  constexpr Bytes kFarthestFrame = 4096;
  constexpr std::uint32_t kHasFrames = 1;
  Bytes start = 0;
  while (const Bytes tag = tag_bytes(reader, start)) start += tag;
  const Bytes end = start + std::min(kFarthestFrame, reader.left_from(start));
  for (Bytes at = start; at + kFrameHeaderBytes <= end; ++at) {
    const std::uint32_t header = reader.u32(at, ByteOrder::big);
    if (!is_frame_header(header)) continue;
    // libmpg123 looks at this place also where a checksum stands before the side information.
    for (const Bytes xing : {xing_offset(header), xing_offset(header | 1U << 16)}) {
      if (!reader.holds(at + xing, 8)) continue;
      const std::string id = reader.four_characters(at + xing);
      if (id == "Xing" || id == "Info") return (reader.u32(at + xing + 4, ByteOrder::big) & kHasFrames) != 0;
    }
    return false;
  }
  return false;
}

}  // namespace xrunlab
