// The chunks that RIFF and AIFF files consist of: a four-character id, a 32-bit size, the body and a pad byte
// when the size is odd. Used by those two parsers to step over chunks by size alone; what is in them is never
// looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

inline constexpr std::uint64_t kWrapBytes = std::uint64_t{1} << 32;  ///< where a 32-bit size is 0 again

struct Chunk {
  std::string id;
  Bytes body = 0;          ///< offset of the first byte behind the size
  std::uint64_t size = 0;  ///< as the header says, or as a 64-bit table corrects it
};

/// Four characters as ids have them: printable, and not all blanks.
bool is_plausible_id(const std::string& id) noexcept;

/// Refuses a chunk that runs past the end of the file: "bext chunk claims 2147483392 bytes, 602 left".
[[noreturn]] void refuse_overlong(const BoundedReader& reader, const std::string& id,
                                  const std::string& claimed, Bytes left);

/// Steps through the chunks of a file from `start`. Every step goes forward and their number is limited, so
/// that it ends on any bytes.
class ChunkWalk {
 public:
  ChunkWalk(BoundedReader& reader, Bytes start, ByteOrder order)
      : reader_(&reader), order_(order), position_(start) {}

  /// The chunk at the current position; nothing at the end of the file. Throws Error{input_file} when what
  /// stands there is no chunk.
  std::optional<Chunk> next();

  /// Moves behind `chunk` and its pad byte, which some writers forget. Throws Error{input_file} when it runs
  /// past the end of the file.
  void skip(const Chunk& chunk);

 private:
  BoundedReader* reader_;
  ByteOrder order_;
  Bytes position_;
  int steps_ = 0;
};

/// Whether a chunk that lies wholly in the file, or its forgotten-pad variant, starts where one of `size`
/// bytes at `body` ends.
bool chunk_follows(BoundedReader& reader, Bytes body, std::uint64_t size, ByteOrder order);

/// The same for a chunk with an id that is well known, which may be cut.
bool common_chunk_follows(BoundedReader& reader, Bytes body, std::uint64_t size);

/// The size that may stand in 32 bits as `size`: the longest one that the file has room for, if a chunk
/// follows there. Nothing when none does, or when `size` itself is the longest.
std::optional<std::uint64_t> size_before_wrapping(BoundedReader& reader, Bytes body, std::uint64_t size,
                                                  ByteOrder order);

}  // namespace xrunlab
