#include "xrunlab/disk/wave_format.hpp"

#include <array>
#include <cstdio>
#include <optional>

#include "xrunlab/disk/raw_format.hpp"
#include "xrunlab/disk/sample_extent.hpp"

namespace xrunlab {
namespace {

constexpr std::uint16_t kTagPcm = 1;
constexpr std::uint16_t kTagFloat = 3;
constexpr std::uint16_t kTagExtensible = 0xfffe;

struct Fields {
  std::uint16_t tag = 0;
  std::uint16_t channels = 0;
  std::uint32_t rate = 0;
  std::uint32_t byte_rate = 0;
  std::uint16_t block_align = 0;
  int bits = 0;
  int valid_bits = 0;
  bool extensible = false;
};

/// The tag within the 16 bytes of a sub-format GUID; 0 when it is neither Microsoft's nor the Ambisonic one.
std::uint16_t tag_of_guid(BoundedReader& reader, Bytes offset, ByteOrder order) {
  using Tail = std::array<std::uint8_t, 8>;
  constexpr Tail kMicrosoft{0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71};
  constexpr Tail kAmbisonic{0x86, 0x44, 0xc8, 0xc1, 0xca, 0x00, 0x00, 0x00};
  Tail tail{};
  for (std::size_t index = 0; index < tail.size(); ++index) {
    tail[index] = reader.u8(offset + 8 + static_cast<Bytes>(index));
  }
  const std::uint32_t tag = reader.u32(offset, order);
  if ((tail != kMicrosoft && tail != kAmbisonic) || tag > 0xffff) return 0;
  return static_cast<std::uint16_t>(tag);
}

Fields read_fields(BoundedReader& reader, Bytes body, std::uint64_t size, ByteOrder order) {
  constexpr std::uint64_t kSmallestBytes = 16;
  constexpr std::uint64_t kExtensibleBytes = 40;
  if (size < kSmallestBytes)
    reader.refuse("the fmt chunk has " + std::to_string(size) + " bytes, 16 are the least");
  Fields fields;
  fields.tag = reader.u16(body, order);
  fields.channels = reader.u16(body + 2, order);
  fields.rate = reader.u32(body + 4, order);
  fields.byte_rate = reader.u32(body + 8, order);
  fields.block_align = reader.u16(body + 12, order);
  fields.bits = reader.u16(body + 14, order);
  fields.valid_bits = fields.bits;
  if (fields.tag != kTagExtensible) return fields;
  if (size < kExtensibleBytes) {
    reader.refuse("EXTENSIBLE fmt chunk has " + std::to_string(size) + " bytes, 40 are needed");
  }
  fields.extensible = true;
  const int valid = reader.u16(body + 18, order);
  if (valid != 0 && valid < fields.bits) fields.valid_bits = valid;
  fields.tag = tag_of_guid(reader, body + 24, order);
  return fields;
}

/// Whether a plain header that has more bytes a frame than its bits need means it.
bool means_wider(const Fields& fields, int bytes) {
  const std::uint64_t rate = std::uint64_t{fields.rate} * fields.block_align;
  return bytes != 5 && bytes != 6 && bytes != 7 && fields.byte_rate == rate;
}

/// Bytes that one sample takes, from the block size where that is sound; else from the bits.
int container_bytes(const Fields& fields, AudioFile& file) {
  const int from_bits = (fields.bits + 7) / 8;
  const int from_block = fields.block_align / fields.channels;
  const bool fits = fields.block_align % fields.channels == 0 && from_block >= from_bits && from_block <= 8;
  if (fits && (fields.extensible || from_block == from_bits)) return from_block;
  if (fits && means_wider(fields, from_block)) {
    const bool as_arecord = fields.bits == 24 && from_block == 4;  // has its own warning
    if (!as_arecord) {
      file.warnings.push_back(
          std::to_string(fields.bits) + " bits in " + std::to_string(from_block) +
          " bytes by the block size and the byte rate, which are taken; by the bits alone they "
          "would be " +
          std::to_string(from_bits) + (from_bits == 1 ? " byte" : " bytes"));
    }
    return from_block;
  }
  file.warnings.push_back("the fmt chunk says " + std::to_string(fields.block_align) +
                          " bytes a frame, its " + std::to_string(fields.channels) + " channels of " +
                          std::to_string(fields.bits) + " bits need " +
                          std::to_string(from_bits * fields.channels) + ": these are taken");
  return from_bits;
}

std::string tag_text(std::uint16_t tag) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "format tag 0x%04x", static_cast<unsigned>(tag));
  return text.data();
}

}  // namespace

void parse_wave_format(BoundedReader& reader, Bytes body, std::uint64_t size, ByteOrder order,
                       AudioFile& file) {
  const Fields fields = read_fields(reader, body, size, order);
  set_channels_and_rate(reader, fields.channels, fields.rate, file);
  if (fields.tag != kTagPcm && fields.tag != kTagFloat) {
    file.codec = tag_text(fields.tag);
    return;
  }
  RawLayout layout;
  layout.kind = fields.tag == kTagFloat ? SampleKind::floating : SampleKind::integer;
  layout.bits = layout.kind == SampleKind::floating ? fields.bits : fields.valid_bits;
  layout.bytes = container_bytes(fields, file);
  layout.order = order;
  layout.eight_bits_unsigned = true;
  set_raw_format(reader, layout, file);
  // arecord's S24_LE: 24 bits in the low end of four bytes, where the WAV format itself wants them at the
  // top.
  const bool low_bits = !fields.extensible && fields.bits == 24 && file.raw_format == SampleFormat::s32_le;
  if (low_bits) {
    file.raw_format = SampleFormat::s24_le;
    file.warnings.push_back("24 bits in 4 bytes: taken from the low three, as arecord writes them");
  }
}

}  // namespace xrunlab
