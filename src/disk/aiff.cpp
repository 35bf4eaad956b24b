#include "xrunlab/disk/aiff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "xrunlab/disk/chunk.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/raw_format.hpp"
#include "xrunlab/disk/sample_extent.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kFirstAiffChunk = 12;
constexpr std::uint64_t kCommBytes = 18;
constexpr std::uint64_t kCommBytesInAifc = 22;
constexpr std::uint64_t kUnknownFrames = 0xffff'ffff;
constexpr std::uint64_t kSsndHeaderBytes = 8;  // offset and block size, in front of the samples

/// How AIFF-C names raw samples. `bytes` 0: as many as the sample size of COMM needs.
struct Compression {
  std::string_view name;
  SampleKind kind;
  int bytes;
  ByteOrder order;
  bool eight_bits_unsigned;
};

constexpr std::array<Compression, 16> kRawCompressions{{
    {"NONE", SampleKind::integer, 0, ByteOrder::big, false},
    {"none", SampleKind::integer, 0, ByteOrder::big, false},
    {"twos", SampleKind::integer, 0, ByteOrder::big, false},
    {"sowt", SampleKind::integer, 0, ByteOrder::little, false},
    {"raw ", SampleKind::integer, 1, ByteOrder::big, true},
    {"in24", SampleKind::integer, 3, ByteOrder::big, false},
    {"ni24", SampleKind::integer, 3, ByteOrder::little, false},
    {"42ni", SampleKind::integer, 3, ByteOrder::little, false},
    {"42n1", SampleKind::integer, 3, ByteOrder::little, false},  // so spelt by libsndfile
    {"in32", SampleKind::integer, 4, ByteOrder::big, false},
    {"ni32", SampleKind::integer, 4, ByteOrder::little, false},
    {"23ni", SampleKind::integer, 4, ByteOrder::little, false},
    {"fl32", SampleKind::floating, 4, ByteOrder::big, false},
    {"FL32", SampleKind::floating, 4, ByteOrder::big, false},
    {"fl64", SampleKind::floating, 8, ByteOrder::big, false},
    {"FL64", SampleKind::floating, 8, ByteOrder::big, false},
}};

/// The 80-bit float that COMM keeps its rate in; 0 for a negative one, infinity and nonsense.
double extended_to_double(BoundedReader& reader, Bytes offset) {
  constexpr int kBias = 16383;
  constexpr int kMantissaBits = 63;
  const std::uint16_t exponent = reader.u16(offset, ByteOrder::big);
  const std::uint64_t mantissa = reader.u64(offset + 2, ByteOrder::big);
  if (exponent >= 0x7fff) return 0;  // the sign bit, or infinity
  return std::ldexp(static_cast<double>(mantissa), exponent - kBias - kMantissaBits);
}

/// COMM: the format into `file`; returns the number of frames that it claims.
std::uint64_t parse_comm(BoundedReader& reader, const Chunk& comm, bool aifc, AudioFile& file) {
  const std::uint64_t needed = aifc ? kCommBytesInAifc : kCommBytes;
  if (comm.size < needed) {
    reader.refuse("the COMM chunk has " + std::to_string(comm.size) + " bytes, " + std::to_string(needed) +
                  " are the least");
  }
  const std::uint32_t channels = reader.u16(comm.body, ByteOrder::big);
  const int bits = reader.u16(comm.body + 6, ByteOrder::big);
  set_channels_and_rate(reader, channels, extended_to_double(reader, comm.body + 8), file);
  const std::string name = aifc ? reader.four_characters(comm.body + 18) : "NONE";
  const auto* const known = std::find_if(kRawCompressions.begin(), kRawCompressions.end(),
                                         [&name](const Compression& each) { return each.name == name; });
  if (known == kRawCompressions.end()) {
    file.codec = quoted_text(name);
  } else {
    RawLayout layout;
    layout.kind = known->kind;
    layout.order = known->order;
    layout.eight_bits_unsigned = known->eight_bits_unsigned;
    layout.bytes = known->bytes != 0 ? known->bytes : (bits + 7) / 8;
    if (layout.kind == SampleKind::integer && bits > 8 * layout.bytes) {
      reader.refuse("the COMM chunk contradicts itself: " + quoted_text(name) + " samples have " +
                        std::to_string(8 * layout.bytes) + " bits at the most, its sample size says " +
                        std::to_string(bits),
                    "convert it again from where it came, or leave it out");
    }
    // A smaller sample size beside a named width is often wrong: the name is what counts.
    const bool bits_fit = bits >= 1 && bits <= 8 * layout.bytes && layout.kind == SampleKind::integer;
    layout.bits = bits_fit ? bits : 8 * layout.bytes;
    set_raw_format(reader, layout, file);
  }
  return reader.u32(comm.body + 2, ByteOrder::big);
}

/// Where SSND's samples are. The frame count of COMM cuts them when it claims less; 0 bytes of it say
/// nothing.
SampleExtent ssnd_extent(BoundedReader& reader, const Chunk& ssnd, std::uint64_t claimed_bytes,
                         Bytes frame_bytes) {
  SampleExtent extent;
  extent.where = "SSND chunk";
  extent.wraps = true;
  if (!reader.holds(ssnd.body, kSsndHeaderBytes))
    reader.refuse("the SSND chunk is cut off before its samples");
  if (ssnd.size < std::uint64_t{kSsndHeaderBytes} && ssnd.size != 0) {
    reader.refuse("the SSND chunk says " + std::to_string(ssnd.size) + " bytes, its own header has 8");
  }
  const std::uint64_t lead = kSsndHeaderBytes + reader.u32(ssnd.body, ByteOrder::big);
  if (lead > static_cast<std::uint64_t>(reader.left_from(ssnd.body))) {
    reader.refuse("the SSND chunk says that its samples start behind the end of the file");
  }
  extent.offset = ssnd.body + static_cast<Bytes>(lead);
  extent.chunk_behind = chunk_follows(reader, ssnd.body, std::max(ssnd.size, lead), ByteOrder::big);
  const bool longer_than_file = ssnd.size > static_cast<std::uint64_t>(reader.left_from(ssnd.body));
  const std::uint64_t size = ssnd.size > lead ? ssnd.size - lead : 0;
  const bool unknown = longer_than_file && is_pipe_size(size, frame_bytes);
  if (!unknown) extent.declared = size;
  if (claimed_bytes != 0 && (unknown || claimed_bytes < size)) {
    extent.where = "COMM chunk";
    extent.declared = claimed_bytes;
    extent.chunk_behind = true;  // what lies between is SSND's own rest
  } else if (!unknown && !extent.chunk_behind) {
    extent.unwrapped = size_before_wrapping(reader, ssnd.body, ssnd.size, ByteOrder::big);
    if (extent.unwrapped) *extent.unwrapped -= lead;
  }
  return extent;
}

/// A pad byte, or what is less than a frame, is no contradiction.
void warn_of_frames_beyond(std::uint64_t claimed, std::uint64_t ssnd_bytes, AudioFile& file) {
  const auto frame = static_cast<std::uint64_t>(file.frame_bytes());
  if (frame == 0 || ssnd_bytes < claimed * frame + std::max<std::uint64_t>(frame, 2)) return;
  file.warnings.push_back("the COMM chunk says " + std::to_string(claimed) + " frames, the SSND chunk has " +
                          std::to_string(ssnd_bytes / frame) + ": those of COMM are played");
}

void warn_of_missing_frames(std::uint64_t claimed, AudioFile& file) {
  if (claimed <= static_cast<std::uint64_t>(file.frames) || file.short_input) return;
  file.short_input = true;
  file.warnings.push_back("the COMM chunk says " + std::to_string(claimed) + " frames, the SSND chunk has " +
                          std::to_string(file.frames));
}

}  // namespace

void parse_aiff(BoundedReader& reader, LengthRule rule, AudioFile& file) {
  const bool aifc = reader.four_characters(8) == "AIFC";
  file.container = aifc ? "aifc" : "aiff";
  ChunkWalk walk(reader, kFirstAiffChunk, ByteOrder::big);
  std::optional<Chunk> samples;
  std::optional<std::uint64_t> claimed_frames;
  int chunks = 0;
  while (!samples || !claimed_frames) {
    const auto chunk = walk.next();
    if (!chunk) break;
    ++chunks;
    if (chunk->id == "SSND" && !samples) samples = chunk;
    if (samples && claimed_frames) break;
    walk.skip(*chunk);
    if (chunk->id == "COMM" && !claimed_frames) claimed_frames = parse_comm(reader, *chunk, aifc, file);
  }
  if (chunks == 0) reader.refuse("only the start of an AIFF header, no chunks in it");
  if (!claimed_frames) reader.refuse("no COMM chunk");
  if (!samples) reader.refuse("no SSND chunk: there are no samples in it");
  const Bytes frame_bytes = file.frame_bytes();
  std::uint64_t claimed_bytes = *claimed_frames * static_cast<std::uint64_t>(frame_bytes);
  if (is_pipe_size(claimed_bytes, frame_bytes) || *claimed_frames == kUnknownFrames) claimed_bytes = 0;
  const SampleExtent extent = ssnd_extent(reader, *samples, claimed_bytes, frame_bytes);
  settle_extent(reader, extent, rule, file);
  const bool wrapped = extent.wraps && reader.left_from(extent.offset) - file.data_bytes >= Bytes{kWrapBytes};
  if (claimed_bytes == 0 || wrapped) return;
  warn_of_missing_frames(*claimed_frames, file);
  const Bytes ssnd_end = samples->body + static_cast<Bytes>(samples->size);
  if (ssnd_end > extent.offset && ssnd_end <= reader.size()) {
    warn_of_frames_beyond(*claimed_frames, static_cast<std::uint64_t>(ssnd_end - extent.offset), file);
  }
}

}  // namespace xrunlab
