// How a track's samples are cut into disk reads: the granted sizes of block and ring (docs/measurement.md),
// and the cursor that yields one aligned read after the other. Pure arithmetic, used by set-up and by the
// reader thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// Where a track's bytes lie.
struct DataExtent {
  Bytes begin = 0;  ///< first byte of the samples in the file
  Bytes end = 0;    ///< one past the last
};

/// A file that is played over and over, and the alignment of its reads.
struct LoopedFile {
  DataExtent extent;
  Bytes alignment = kPageBytes;
};

/// What one track's ring is asked to be. All amounts of bytes are bytes of this track.
struct RingRequest {
  Frames ring = 0;  ///< read-ahead asked for, in frames of this track
  Bytes frame_bytes = 0;
  Frames fragment = 0;
  std::optional<Bytes> io_size;  ///< absent: auto
  std::optional<LoopedFile> looped;
};

/// What is granted.
struct RingGeometry {
  Bytes block_bytes = 0;
  std::int64_t block_count = 0;
  Bytes bytes() const noexcept { return block_bytes * block_count; }
  friend bool operator==(const RingGeometry&, const RingGeometry&) = default;
};

/// io_size auto: the largest power of two <= min(256 KiB, ring bytes / 8), at least 4 KiB. The ring is
/// rounded up to whole blocks, at least 4, and at least two fragments. Throws Error{usage} with the
/// arithmetic when io_size is no multiple of 4 KiB, above 64 MiB, or leaves fewer than 4 blocks in the ring
/// that was asked for. Of a looped file the ring holds as much as of a long one, with smaller and more blocks
/// where its passes leave them partly filled; of a file of a few frames only as much as fits into 16 times
/// the memory.
RingGeometry plan_ring(const RingRequest& request);

/// The least that plan_ring grants, and how it comes about: "4 reads of 4096 bytes, 2 fragments of 1024
/// frames".
struct LeastRing {
  Frames frames = 0;
  std::string sum;
};

/// Absent when the ring asked for is no smaller than that.
std::optional<LeastRing> enlarged_to(const RingRequest& request);

/// What the blocks of a ring hold of a track when all of them are filled.
struct RingContent {
  Bytes least = 0;          ///< in all blocks, at the least: C_k of docs/measurement.md in bytes
  Bytes most_in_block = 0;  ///< in one block, at the most
};
RingContent content_of(const RingGeometry& ring, const std::optional<LoopedFile>& looped) noexcept;

/// One read: `size` bytes at `offset` of the file into the start of a block, of which [begin, end) are the
/// track's.
struct PlannedRead {
  Bytes offset = 0;
  std::uint32_t size = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool last = false;  ///< nothing follows
  friend bool operator==(const PlannedRead&, const PlannedRead&) = default;
};

enum class Looping { once, forever };

/// Where a track's first read begins and ends, when that is not the start of its samples and a whole block: a
/// run that is played again from its middle.
struct FirstRead {
  Bytes begin = 0;  ///< in the file, within the samples
  Bytes end = 0;    ///< 0: as any other
};

/// Yields a track's reads in order. Offsets are multiples of `alignment`, sizes too (the last one of a file
/// may reach past its end: the kernel returns what is there).
class ReadCursor {
 public:
  /// alignment: a power of two, at least a page so that page-aligned blocks copy page to page; block_bytes a
  /// multiple of it.
  ReadCursor(DataExtent extent, Bytes block_bytes, Bytes alignment, Looping looping,
             std::optional<FirstRead> first = std::nullopt) noexcept;

  /// Nothing when the end has been reached (never with Looping::forever, unless the extent is empty).
  std::optional<PlannedRead> next() noexcept;

  /// Bytes of the track handed out so far, over all passes.
  Bytes planned_bytes() const noexcept { return planned_; }
  bool at_end() const noexcept;

 private:
  DataExtent extent_;
  Bytes block_bytes_;
  Bytes alignment_;
  Looping looping_;
  Bytes position_;
  Bytes first_end_ = 0;  ///< until the first read
  Bytes planned_ = 0;
};

}  // namespace xrunlab
