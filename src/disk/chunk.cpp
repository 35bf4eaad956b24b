#include "xrunlab/disk/chunk.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "xrunlab/disk/printable_name.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kChunkHeaderBytes = 8;
constexpr int kMostChunks =
    10'000;  // recorders write dozens; a file of nothing but empty chunks must not take hours

bool is_common_id(const std::string& id) noexcept {
  constexpr std::array<std::string_view, 25> kCommon{
      "fmt ", "data", "LIST", "fact", "bext", "iXML", "axml", "chna", "cue ", "JUNK", "junk", "PAD ", "FLLR",
      "ds64", "smpl", "id3 ", "ID3 ", "COMM", "SSND", "FVER", "MARK", "INST", "NAME", "ANNO", "APPL"};
  return std::find(kCommon.begin(), kCommon.end(), id) != kCommon.end();
}

bool is_common_at(BoundedReader& reader, Bytes offset) {
  return reader.holds(offset, kChunkHeaderBytes) && is_common_id(reader.four_characters(offset));
}

bool is_plausible_at(BoundedReader& reader, Bytes offset) {
  return reader.holds(offset, kChunkHeaderBytes) && is_plausible_id(reader.four_characters(offset));
}

/// Where the chunk behind one that ends at `end` starts. With an odd size it is a byte later, except when
/// only without that byte there is an id.
Bytes behind(BoundedReader& reader, Bytes end, std::uint64_t size) {
  if (size % 2 == 0) return end;
  if (is_common_at(reader, end + 1)) return end + 1;
  if (is_common_at(reader, end)) return end;
  if (is_plausible_at(reader, end + 1)) return end + 1;
  return is_plausible_at(reader, end) ? end : end + 1;
}

bool leads_on(BoundedReader& reader, const Chunk& chunk) {
  if (chunk.size > static_cast<std::uint64_t>(reader.left_from(chunk.body))) return false;
  return is_common_at(reader, behind(reader, chunk.body + static_cast<Bytes>(chunk.size), chunk.size));
}

}  // namespace

bool is_plausible_id(const std::string& id) noexcept {
  return id != "    " && std::all_of(id.begin(), id.end(),
                                     [](char character) { return character >= 0x20 && character < 0x7f; });
}

void refuse_overlong(const BoundedReader& reader, const std::string& id, const std::string& claimed,
                     Bytes left) {
  const auto letters = id.find_last_not_of(' ');  // ids are filled up with blanks
  reader.refuse(printable_text(id.substr(0, letters + 1)) + " chunk claims " + claimed + " bytes, " +
                    std::to_string(left) + " left",
                "the file was cut off in its header, or the size is wrong: copy it again, or leave it out");
}

std::optional<Chunk> ChunkWalk::next() {
  if (reader_->left_from(position_) < kChunkHeaderBytes) return std::nullopt;
  if (++steps_ > kMostChunks)
    reader_->refuse("more than 10000 chunks before the samples: the header is broken");
  Chunk chunk{reader_->four_characters(position_), position_ + kChunkHeaderBytes,
              reader_->u32(position_ + 4, order_)};
  // A strange id is one nevertheless when its size leads to a chunk that is known.
  if (!is_plausible_id(chunk.id) && !leads_on(*reader_, chunk)) {
    reader_->refuse("no chunk at byte " + std::to_string(position_) + ", where one should start");
  }
  return chunk;
}

void ChunkWalk::skip(const Chunk& chunk) {
  const Bytes left = reader_->left_from(chunk.body);
  if (chunk.size > static_cast<std::uint64_t>(left)) {
    refuse_overlong(*reader_, chunk.id, std::to_string(chunk.size), left);
  }
  position_ = behind(*reader_, chunk.body + static_cast<Bytes>(chunk.size), chunk.size);
}

bool chunk_follows(BoundedReader& reader, Bytes body, std::uint64_t size, ByteOrder order) {
  if (size > static_cast<std::uint64_t>(reader.left_from(body))) return false;
  const Bytes start = behind(reader, body + static_cast<Bytes>(size), size);
  if (!is_plausible_at(reader, start)) return false;
  return reader.holds(start + kChunkHeaderBytes, reader.u32(start + 4, order));
}

bool common_chunk_follows(BoundedReader& reader, Bytes body, std::uint64_t size) {
  if (size > static_cast<std::uint64_t>(reader.left_from(body))) return false;
  return is_common_at(reader, behind(reader, body + static_cast<Bytes>(size), size));
}

std::optional<std::uint64_t> size_before_wrapping(BoundedReader& reader, Bytes body, std::uint64_t size,
                                                  ByteOrder order) {
  const auto left = static_cast<std::uint64_t>(reader.left_from(body));
  if (size > left) return std::nullopt;
  const std::uint64_t wraps = (left - size) / kWrapBytes;
  const std::uint64_t whole = size + wraps * kWrapBytes;
  if (wraps == 0 || !chunk_follows(reader, body, whole, order)) return std::nullopt;
  return whole;
}

}  // namespace xrunlab
