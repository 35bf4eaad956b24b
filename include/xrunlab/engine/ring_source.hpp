// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// Takes fragments out of the rings of all tracks, which advance together: a fragment is there when every
// track has it. The one call that may sleep is the wait of a starved read.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "ringbuffer/block_ring.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/starvation_gate.hpp"
#include "xrunlab/engine/converted_tracks.hpp"
#include "xrunlab/engine/fragment_source.hpp"

namespace xrunlab {

struct RingTrack {
  BlockConsumer ring;
  Bytes frame_bytes = 0;
  Frames capacity = 0;      ///< granted ring, whole frames
  Bytes block_content = 0;  ///< most bytes of the track in one block; 0: whole blocks
};

struct RingSourceConfig {
  SampleRate rate;
  StarveAnswer on_starve = StarveAnswer::waited;
};

class RingSource final : public FragmentSource {
 public:
  /// gate, clock and stop must outlive the source. Allocates; made by main.
  RingSource(RingSourceConfig config, std::vector<RingTrack> tracks,
             std::unique_ptr<ConvertedTracks> converted, StarvationGate& gate, const Clock& clock,
             const std::atomic<bool>& stop);

  TakenFragment take(Nanoseconds start) noexcept override;
  void card_started() noexcept override;
  std::span<const TrackFrames<float>> as_float() const noexcept override { return converted_->as_float(); }
  std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept override {
    return converted_->as_int32();
  }
  std::int64_t clipped() const noexcept override { return converted_->clipped(); }

  /// ring_needed of docs/measurement.md in frames, rounded up to whole blocks. Thread: any, once playback has
  /// ended.
  Frames ring_needed() const noexcept;

  /// The smallest granted ring over the tracks, in frames.
  Frames capacity() const noexcept;

 private:
  struct Look {
    bool lacking = false;
    bool failed = false;
    bool any_left = false;
    bool a_track_ends = false;
    std::uint32_t lacking_track = 0;
    std::optional<Frames> least_fill;
    Frames largest_need = 0;  ///< what would have been enough ring at this moment, over the tracks
    std::size_t need_track = 0;
  };

  Look look() noexcept;
  bool wait_for_all(StarvedRead& starved) noexcept;
  Frames need_of(std::size_t track, Frames fill) noexcept;
  static Bytes block_content(const RingTrack& track) noexcept;
  void note_need(const Look& seen, Frames waited_since) noexcept;
  Frames convert(std::size_t track) noexcept;

  RingSourceConfig config_;
  std::vector<RingTrack> tracks_;
  std::unique_ptr<ConvertedTracks> converted_;
  StarvationGate& gate_;
  const Clock& clock_;
  const std::atomic<bool>& stop_;
  Frames fragment_;
  Frames position_ = 0;
  Nanoseconds waited_{};                     ///< all waits so far
  std::vector<Nanoseconds> waited_at_full_;  ///< by track: the waits until its ring was last full
  Frames needed_ = 0;
  std::size_t needed_track_ = 0;
  std::unique_ptr<std::byte[]> split_frame_;  ///< the one frame across the wrap of a row
};

}  // namespace xrunlab
