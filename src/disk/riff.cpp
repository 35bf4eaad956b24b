#include "xrunlab/disk/riff.hpp"

#include <algorithm>

#include "xrunlab/disk/chunk.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/sample_extent.hpp"
#include "xrunlab/disk/wave_format.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kFirstRiffChunk = 12;                   // behind "RIFF", the size and "WAVE"
constexpr std::uint64_t kSizeIsIn64Bits = 0xffff'ffff;  // in RF64: look into ds64
constexpr Bytes kSmallestDs64 = 28;

/// The ds64 chunk: 64-bit sizes of the data chunk and of others that have outgrown 32 bits.
class LongSizes {
 public:
  LongSizes(BoundedReader& reader, const Chunk& ds64) : reader_(&reader) {
    if (ds64.size < std::uint64_t{kSmallestDs64} || !reader.holds(ds64.body, kSmallestDs64)) {
      reader.refuse("the ds64 chunk is too short");
    }
    data_ = reader.u64(ds64.body + 8, ByteOrder::little);
    const std::uint64_t fits = (ds64.size - kSmallestDs64) / kEntryBytes;
    entries_ = std::min<std::uint64_t>({reader.u32(ds64.body + 24, ByteOrder::little), fits, kMostEntries});
    table_ = ds64.body + kSmallestDs64;
  }

  std::uint64_t data() const noexcept { return data_; }

  /// Of a chunk other than the data chunk.
  std::uint64_t size_of(const Chunk& chunk) const {
    if (chunk.size != kSizeIsIn64Bits) return chunk.size;
    for (std::uint64_t index = 0; index < entries_; ++index) {
      const Bytes entry = table_ + static_cast<Bytes>(index * kEntryBytes);
      if (!reader_->holds(entry, static_cast<Bytes>(kEntryBytes))) break;
      if (reader_->four_characters(entry) == chunk.id) return reader_->u64(entry + 4, ByteOrder::little);
    }
    return chunk.size;
  }

 private:
  static constexpr std::uint64_t kEntryBytes = 12;
  static constexpr std::uint64_t kMostEntries = 64;
  BoundedReader* reader_;
  std::uint64_t data_ = 0;
  std::uint64_t entries_ = 0;
  Bytes table_ = 0;
};

/// The ds64 chunk; it should be the first, but others are known to stand before it.
std::optional<Chunk> find_ds64(BoundedReader& reader) {
  ChunkWalk walk(reader, kFirstRiffChunk, ByteOrder::little);
  while (auto chunk = walk.next()) {
    if (chunk->id == "ds64") return chunk;
    if (chunk->id == "data" || chunk->size == kSizeIsIn64Bits) break;
    walk.skip(*chunk);
  }
  return std::nullopt;
}

std::optional<LongSizes> long_sizes(BoundedReader& reader, const std::string& magic) {
  if (magic == "RIFX") return std::nullopt;
  const auto ds64 = find_ds64(reader);
  // A recorder that died before it made an RF64 of its RIFF.
  if (magic == "RIFF")
    return ds64 && ds64->size >= std::uint64_t{kSmallestDs64} ? std::optional(LongSizes(reader, *ds64))
                                                              : std::nullopt;
  const bool plain_size = reader.u32(4, ByteOrder::little) != kSizeIsIn64Bits;
  if (ds64) return LongSizes(reader, *ds64);
  if (magic == "BW64" && plain_size) return std::nullopt;  // a BW64 under 4 GiB may have JUNK in its place
  reader.refuse(magic + " without ds64 chunk: the length of its samples is not known",
                "rewrite the header, for example with sox or ffmpeg -c copy");
}

/// Zeros up to a whole page, or text: what tools leave behind the samples. No recorder's samples look so.
bool is_padding_or_text(BoundedReader& reader, Bytes offset) {
  constexpr Bytes kLookedAt = 256;
  const Bytes left = reader.left_from(offset);
  bool zeros = left <= kPageBytes;
  bool text = true;
  for (Bytes at = offset; at < offset + left && (zeros || (text && at < offset + kLookedAt)); ++at) {
    const auto byte = reader.u8(at);
    zeros = zeros && byte == 0;
    if (at < offset + kLookedAt)
      text = text && (byte == '\n' || byte == '\r' || byte == '\t' || (byte >= 0x20 && byte < 0x7f));
  }
  return zeros || text;
}

SampleExtent riff_data(BoundedReader& reader, const Chunk& data, ByteOrder order,
                       const std::optional<LongSizes>& sizes, const AudioFile& file) {
  SampleExtent extent;
  extent.where = "data chunk";
  extent.offset = data.body;
  const bool plain_riff = file.container == "wav";
  const bool in_64_bits = sizes && (plain_riff ? data.size == kSizeIsIn64Bits && sizes->data() != 0
                                               : data.size == kSizeIsIn64Bits || data.size == 0);
  const std::uint64_t size = in_64_bits ? sizes->data() : data.size;
  extent.wraps = !in_64_bits;
  extent.chunk_behind =
      chunk_follows(reader, data.body, size, order) || common_chunk_follows(reader, data.body, size);
  const bool longer_than_file = size > static_cast<std::uint64_t>(reader.left_from(data.body));
  const bool from_a_pipe =
      in_64_bits ? is_endless(size) || size == kSizeIsIn64Bits : is_pipe_size(size, file.frame_bytes());
  const bool unknown = from_a_pipe && (longer_than_file || !extent.chunk_behind);
  if (unknown) return extent;
  extent.declared = size;
  extent.stray_bytes = !longer_than_file && !extent.chunk_behind &&
                       !is_padding_or_text(reader, data.body + static_cast<Bytes>(size));
  if (extent.wraps && !extent.chunk_behind) {
    extent.unwrapped = size_before_wrapping(reader, data.body, size, order);
  }
  return extent;
}

std::string article(const std::string& magic) {
  return magic == "RF64" ? "an " : "a ";
}

std::string riff_container(const std::string& magic) {
  if (magic == "RIFX") return "rifx";
  if (magic == "RF64") return "rf64";
  return magic == "BW64" ? "bw64" : "wav";
}

}  // namespace

void parse_riff(BoundedReader& reader, LengthRule rule, AudioFile& file) {
  const std::string magic = reader.four_characters(0);
  const ByteOrder order = magic == "RIFX" ? ByteOrder::big : ByteOrder::little;
  if (!reader.holds(0, kFirstRiffChunk))
    reader.refuse(article(magic) + magic + " header cut off after 4 bytes");
  const std::string form = reader.four_characters(8);
  if (form != "WAVE")
    reader.refuse(article(magic) + magic + " file of type " + quoted_text(form) + ", not WAVE");
  file.container = riff_container(magic);
  if (reader.left_from(kFirstRiffChunk) == 0) {
    reader.refuse("only the start of " + article(magic) + magic + " header, no chunks in it: it was cut off",
                  "copy it again from where it came, or leave it out");
  }

  const auto sizes = long_sizes(reader, magic);
  ChunkWalk walk(reader, kFirstRiffChunk, order);
  bool has_format = false;
  int chunks = 0;
  while (auto chunk = walk.next()) {
    ++chunks;
    if (chunk->id == "data") {
      if (!has_format) reader.refuse("the data chunk stands before the fmt chunk");
      settle_extent(reader, riff_data(reader, *chunk, order, sizes, file), rule, file);
      return;
    }
    if (chunk->id == "LIST" && reader.holds(chunk->body, 4) &&
        reader.four_characters(chunk->body) == "wavl") {
      reader.refuse("samples in a wavl list are not supported", "convert it to WAV or FLAC");
    }
    if (sizes) chunk->size = sizes->size_of(*chunk);
    walk.skip(*chunk);
    if (chunk->id == "fmt " && !has_format) {
      parse_wave_format(reader, chunk->body, chunk->size, order, file);
      has_format = true;
    }
  }
  if (chunks == 0) reader.refuse("only the start of " + article(magic) + magic + " header, no chunks in it");
  reader.refuse(has_format ? "no data chunk: the recording was not finished"
                           : "no fmt chunk and no data chunk");
}

}  // namespace xrunlab
