#include "xrunlab/disk/au.hpp"

#include "xrunlab/disk/raw_format.hpp"
#include "xrunlab/disk/sample_extent.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kHeaderBytes = 24;
constexpr std::uint32_t kUnknownAuSize = 0xffff'ffff;

/// Bytes and kind by the encoding number; bits 0 for one that must be decoded.
RawLayout layout_of(std::uint32_t encoding, ByteOrder order) {
  RawLayout layout;
  layout.order = order;
  if (encoding >= 2 && encoding <= 5) layout.bytes = static_cast<int>(encoding) - 1;
  if (encoding == 6 || encoding == 7) {
    layout.kind = SampleKind::floating;
    layout.bytes = encoding == 6 ? 4 : 8;
  }
  layout.bits = 8 * layout.bytes;
  return layout;
}

}  // namespace

void parse_au(BoundedReader& reader, LengthRule rule, AudioFile& file) {
  const ByteOrder order = reader.four_characters(0) == ".snd" ? ByteOrder::big : ByteOrder::little;
  if (!reader.holds(0, kHeaderBytes)) reader.refuse("an AU header cut off, 24 bytes are the least");
  file.container = "au";
  const std::uint32_t offset = reader.u32(4, order);
  const std::uint32_t size = reader.u32(8, order);
  const std::uint32_t encoding = reader.u32(12, order);
  if (offset < kHeaderBytes || offset > reader.size()) {
    reader.refuse("the AU header says that samples start at byte " + std::to_string(offset) + " of " +
                  std::to_string(reader.size()));
  }
  set_channels_and_rate(reader, reader.u32(20, order), reader.u32(16, order), file);
  const RawLayout layout = layout_of(encoding, order);
  if (layout.bits == 0) {
    file.codec = "AU encoding " + std::to_string(encoding);
  } else {
    set_raw_format(reader, layout, file);
  }
  SampleExtent extent;
  extent.where = "AU header";
  extent.offset = offset;
  extent.wraps = true;
  const bool longer_than_file = size > reader.left_from(offset);
  const bool unknown = size == kUnknownAuSize || (is_pipe_size(size, file.frame_bytes()) && longer_than_file);
  if (!unknown) extent.declared = size;
  settle_extent(reader, extent, rule, file);
}

}  // namespace xrunlab
