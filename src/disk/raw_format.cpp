#include "xrunlab/disk/raw_format.hpp"

#include <optional>
#include <string>

namespace xrunlab {
namespace {

std::optional<SampleFormat> format_of(const RawLayout& layout) {
  const bool big = layout.order == ByteOrder::big;
  if (layout.kind == SampleKind::floating) {
    if (layout.bytes == 4) return big ? SampleFormat::f32_be : SampleFormat::f32_le;
    if (layout.bytes == 8) return big ? SampleFormat::f64_be : SampleFormat::f64_le;
    return std::nullopt;
  }
  switch (layout.bytes) {
    case 1:
      return layout.eight_bits_unsigned ? SampleFormat::u8 : SampleFormat::s8;
    case 2:
      return big ? SampleFormat::s16_be : SampleFormat::s16_le;
    case 3:
      return big ? SampleFormat::s24_3be : SampleFormat::s24_3le;
    case 4:
      return big ? SampleFormat::s32_be : SampleFormat::s32_le;
    default:
      return std::nullopt;
  }
}

}  // namespace

void set_raw_format(const BoundedReader& reader, const RawLayout& layout, AudioFile& file) {
  const bool floating = layout.kind == SampleKind::floating;
  const bool bits_fit =
      floating ? layout.bits == 8 * layout.bytes : layout.bits >= 1 && layout.bits <= 8 * layout.bytes;
  const auto format = format_of(layout);
  if (!format || !bits_fit) {
    reader.refuse(std::string(floating ? "float" : "integer") + " samples of " + std::to_string(layout.bits) +
                      " bits in " + std::to_string(layout.bytes) + " bytes cannot be played",
                  "convert it to 24-bit integers or 32-bit floats, for example with sox");
  }
  file.raw_format = format;
  file.valid_bits = layout.bits;
  file.codec = "pcm";
}

}  // namespace xrunlab
