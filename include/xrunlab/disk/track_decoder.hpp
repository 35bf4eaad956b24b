// One coded track as the decoder sees it: raw bytes out of one ring, float frames into the other. Made by
// set-up code, used by the decoder thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ringbuffer/block_ring.hpp"
#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/coded_stream.hpp"
#include "xrunlab/disk/read_plan.hpp"
#include "xrunlab/disk/ring_bytes.hpp"

namespace xrunlab {

/// What the decoder must have to decode one track.
struct DecoderTrack {
  AudioFile file;
  CodedStream stream;      ///< opened from `file` and not moved since
  BlockConsumer raw;       ///< filled by a reader track of raw_extent(file, stream), looped as the decoder is
  BlockProducer out;       ///< takes interleaved native float32, whole frames in every block
  Frames first_block = 0;  ///< frames of the first block, when it is not whole; else 0
  Bytes raw_position = 0;  ///< of the raw bytes of a pass, where the first one begins
};

/// What a coded file is that ends before the length in its header or holds broken data: worth a warning, or a
/// failure.
enum class OddFile : std::uint8_t { is_warned_of, fails };

/// Why a track could not be decoded on.
struct DecodeFailure {
  std::uint32_t track = 0;
  Frames frame = 0;  ///< of the file, where it happened
  std::string text;  ///< one line: file, frame and libsndfile's reason
};

class TrackDecoder {
 public:
  TrackDecoder(DecoderTrack track, Looping looping, OddFile odd_file);
  TrackDecoder(const TrackDecoder&) = delete;  // its stream knows the address of raw_
  TrackDecoder& operator=(const TrackDecoder&) = delete;

  /// Nothing more will be published.
  bool closed() const noexcept { return closed_; }

  /// True when there is room to decode into.
  bool has_room() const noexcept { return !closed_ && (block_ || out_.any_vacant()); }

  /// True when the raw bytes of the next chunk are there. What is missing nevertheless is read from the file.
  bool has_raw() noexcept;

  /// Decodes up to kDecodedChunk frames, no further than to the end of the block; needs has_room(). A full
  /// block is published, and at the end the last one. True when something was published or the track was
  /// closed.
  bool decode_chunk(Nanoseconds now);

  /// In a replay, how long the next chunk is to take; else 0.
  Nanoseconds next_cost() const noexcept { return stream_.cost_of(next_chunk()); }

  /// Raw bytes taken so far, over all passes.
  Bytes raw_taken() const noexcept { return raw_.taken(); }
  /// How often the file has been decoded to its end.
  std::int64_t passes() const noexcept { return passes_; }

  /// Frames decoded so far, over all passes. The track with the least is the emptiest: all are played in
  /// step.
  Frames decoded() const noexcept { return decoded_; }
  Frames published() const noexcept { return out_.published_bytes() / frame_bytes_; }

  /// Frames that must be played until a block falls vacant; 0 when there is room.
  Frames until_vacant() const noexcept;
  Frames ring_frames() const noexcept { return block_frames_ * static_cast<Frames>(out_.block_count()); }

  /// Bytes read from the file beside the raw ring.
  Bytes strayed_bytes() const noexcept { return strayed_before_ + stream_.strayed_bytes(); }

  const std::optional<DecodeFailure>& failure() const noexcept { return failure_; }
  /// Empty, or that the file was shorter than it said or has broken data in it.
  const std::string& warning() const noexcept { return warning_; }

 private:
  Frames next_chunk() const noexcept;
  void publish_block(Nanoseconds now) noexcept;
  void end_pass(Nanoseconds now);
  void begin_next_pass(Nanoseconds now);
  void close(RingEnd how, Nanoseconds now) noexcept;
  void fail(const std::string& reason, Nanoseconds now);
  void fail_as_warned(Nanoseconds now);

  AudioFile file_;
  Looping looping_;
  OddFile odd_file_;
  Bytes raw_start_;
  CodedStream stream_;
  RingBytes raw_;
  Bytes raw_ahead_;
  BlockProducer out_;
  Bytes frame_bytes_;
  Frames block_frames_;
  std::optional<std::uint32_t> block_;  ///< taken and not yet published
  Frames in_block_ = 0;
  Frames block_end_;  ///< frames of the block that is being filled
  std::int64_t block_begun_ns_ = 0;
  Frames decoded_ = 0;
  std::int64_t passes_ = 0;
  Bytes strayed_before_ = 0;  ///< by the streams of earlier passes
  bool closed_ = false;
  std::optional<DecodeFailure> failure_;
  std::string warning_;
  bool ended_early_ = false;
};

}  // namespace xrunlab
