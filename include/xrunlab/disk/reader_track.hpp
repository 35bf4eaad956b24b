// One track as the reader sees it: its cursor, its half of the ring, and the reads between submission and
// publication. Reads complete in any order and are published in order; short ones are continued. Thread:
// reader.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ringbuffer/block_ring.hpp"
#include "xrunlab/disk/io_engine.hpp"
#include "xrunlab/disk/read_plan.hpp"

namespace xrunlab {

/// Who empties a track's ring. The decoder does so at times of its own; playback leaves its trace in
/// PlaybackProgress.
enum class TakenBy { playback, decoder };

/// What the reader must know to read one track.
struct TrackSource {
  BlockProducer ring;
  DataExtent extent;
  Bytes alignment = kPageBytes;
  double ns_per_byte =
      0;  ///< length of one byte as audio; tracks are refilled in the order of the audio they hold
  TakenBy taken_by = TakenBy::playback;
  std::optional<FirstRead> first = std::nullopt;
};

/// Why a track could not be read on.
struct InputFailure {
  std::uint32_t track = 0;
  Bytes offset = 0;
  int error_number = 0;  ///< 0: the file ended before the end that its header gave
};

class ReaderTrack {
 public:
  ReaderTrack(TrackSource source, std::uint32_t index, Looping looping);

  /// The next read, when a block is vacant and something is left to read.
  std::optional<ReadRequest> next_read(std::int64_t now_ns);

  /// What became of one completion.
  struct Outcome {
    enum class Kind { done, again, failed } kind = Kind::done;
    ReadRequest again;              ///< kind again: to be submitted
    InputFailure failure;           ///< kind failed
    Bytes bytes = 0;                ///< kind done: the track's bytes that it brought
    std::int64_t submitted_ns = 0;  ///< kinds done and failed
    Bytes offset = 0;
    bool was_short = false;
  };
  Outcome complete(std::uint32_t slot, std::int32_t result, std::int64_t now_ns);

  /// The read whose turn it is to be published, while it is under way: nothing behind it can be played before
  /// it.
  struct Awaited {
    Bytes offset = 0;
    std::int64_t submitted_ns = 0;
  };
  std::optional<Awaited> awaited() const noexcept;

  /// True when next_read would give something.
  bool wants_read() const noexcept { return !closed_ && !cursor_.at_end() && ring_.any_vacant(); }

  /// True when every block of the ring is filled and no read is under way. At the end of the file: false.
  bool full() const noexcept { return in_flight_ == 0 && !cursor_.at_end() && !ring_.any_vacant(); }

  /// Nothing more will be published.
  bool closed() const noexcept { return closed_; }

  TakenBy taken_by() const noexcept { return taken_by_; }

  /// Audio requested so far, from the track's start. The track with the least is the emptiest: all are played
  /// in step.
  double planned_ns() const noexcept { return static_cast<double>(cursor_.planned_bytes()) * ns_per_byte_; }

  /// Audio that is published and not yet played.
  std::int64_t fill_ns() const noexcept {
    return static_cast<std::int64_t>(static_cast<double>(ring_.fill_bytes()) * ns_per_byte_);
  }
  double published_ns() const noexcept { return static_cast<double>(ring_.published_bytes()) * ns_per_byte_; }

  /// Audio that must be played until the oldest block falls vacant; 0 when one is vacant already.
  double until_vacant_ns() const noexcept;
  double block_ns() const noexcept { return static_cast<double>(ring_.block_bytes()) * ns_per_byte_; }
  double ring_ns() const noexcept { return block_ns() * static_cast<double>(ring_.block_count()); }

 private:
  struct Pending {
    PlannedRead plan;
    std::uint32_t got = 0;
    std::int64_t submitted_ns = 0;
    std::int64_t completed_ns = 0;
    std::int64_t end_position = 0;  ///< bytes of the track up to the end of this block
    bool done = false;
    bool failed = false;
  };

  ReadRequest request(std::uint32_t slot, std::uint32_t from) const noexcept;
  void publish_done();

  BlockProducer ring_;
  ReadCursor cursor_;
  Bytes alignment_;
  double ns_per_byte_;
  TakenBy taken_by_;
  std::uint32_t index_;
  std::vector<Pending> pending_;    ///< by slot
  std::uint32_t publish_slot_ = 0;  ///< the slot whose turn it is
  std::uint32_t oldest_slot_ = 0;   ///< the slot that falls vacant next
  int in_flight_ = 0;
  bool closed_ = false;
};

}  // namespace xrunlab
