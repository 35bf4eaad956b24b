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

}  // namespace

bool is_plausible_id(const std::string& id) noexcept {
  return id != "    " && std::all_of(id.begin(), id.end(),
                                     [](char character) { return character >= 0x20 && character < 0x7f; });
}

std::optional<Chunk> ChunkWalk::next() {
  if (reader_->left_from(position_) < kChunkHeaderBytes) return std::nullopt;
  if (++steps_ > kMostChunks)
    reader_->refuse("more than 10000 chunks before the samples: the header is broken");
  const std::string id = reader_->four_characters(position_);
  if (!is_plausible_id(id)) {
    reader_->refuse("no chunk at byte " + std::to_string(position_) + ", where one should start");
  }
  return Chunk{id, position_ + kChunkHeaderBytes, reader_->u32(position_ + 4, order_)};
}

void ChunkWalk::skip(const Chunk& chunk) {
  const auto left = static_cast<std::uint64_t>(reader_->left_from(chunk.body));
  if (chunk.size > left) {
    reader_->refuse(printable_text(chunk.id) + " chunk claims " + std::to_string(chunk.size) + " bytes, " +
                    std::to_string(left) + " left");
  }
  position_ = behind(*reader_, chunk.body + static_cast<Bytes>(chunk.size), chunk.size);
}

bool chunk_follows(BoundedReader& reader, Bytes body, std::uint64_t size, ByteOrder order) {
  if (size > static_cast<std::uint64_t>(reader.left_from(body))) return false;
  const Bytes start = behind(reader, body + static_cast<Bytes>(size), size);
  if (!is_plausible_at(reader, start)) return false;
  return reader.holds(start + kChunkHeaderBytes, reader.u32(start + 4, order));
}

}  // namespace xrunlab
