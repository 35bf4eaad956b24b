// A coded track's raw bytes as its CodedStream takes them: out of the ring that the disk reader fills, pass
// after pass when the track is looped. Thread: decoder.
#pragma once

#include "ringbuffer/block_ring.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/coded_stream.hpp"

namespace xrunlab {

class RingBytes final : public CodedBytes {
 public:
  /// pass_bytes: how many bytes the reader delivers in one pass over the file; the first begins at `position`
  /// of them.
  RingBytes(BlockConsumer ring, Bytes pass_bytes, Bytes position = 0) noexcept
      : ring_(std::move(ring)), pass_bytes_(pass_bytes), position_(position) {}

  Bytes read(std::byte* out, Bytes size) noexcept override;
  void skip(Bytes size) noexcept override;

  /// Passes over what the decoder has left of this pass; the next byte is the first of the file again.
  void begin_next_pass() noexcept;

  /// Bytes read and skipped so far, over all passes.
  Bytes taken() const noexcept { return taken_; }

  /// True when `size` bytes are there, or all that can be: the rest of the pass, a full ring, an ended one.
  bool holds(Bytes size) noexcept;

  /// The reader could not read on.
  bool failed() const noexcept { return ring_.fill().end == RingEnd::failed; }

 private:
  /// Consumes what was skipped and has arrived since; without that its blocks would never fall vacant.
  void settle() noexcept;

  BlockConsumer ring_;
  Bytes pass_bytes_;
  Bytes position_ = 0;  ///< in this pass
  Bytes taken_ = 0;
  Bytes owed_ = 0;  ///< skipped, but not yet arrived
};

}  // namespace xrunlab
