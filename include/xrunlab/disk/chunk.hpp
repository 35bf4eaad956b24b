// The chunks that RIFF and AIFF files consist of: a four-character id, a 32-bit size, the body and a pad byte
// when the size is odd. Used by those two parsers to step over chunks by size alone; what is in them is never
// looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

struct Chunk {
  std::string id;
  Bytes body = 0;          ///< offset of the first byte behind the size
  std::uint64_t size = 0;  ///< as the header says, or as a 64-bit table corrects it
};

/// Four characters as ids have them: printable, and not all blanks.
bool is_plausible_id(const std::string& id) noexcept;

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

}  // namespace xrunlab
