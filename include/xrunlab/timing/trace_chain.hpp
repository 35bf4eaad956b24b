// What a trace says of the chain that it is of, beyond the names of the tracks: where the samples lie, how
// they were cut into reads, how long the rings were, what the card granted. With it a run can be played again
// from its trace alone. Plain data and its coding; used by set-up, the trace's header and replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// What else there is of a track that was decoded. Its data are its coded bytes, its blocks those of decoded
/// audio.
struct TraceCoding {
  Bytes raw_block_bytes = 0;         ///< of one read
  std::int64_t raw_block_count = 0;  ///< of the ring of coded bytes
  std::optional<Frames> frames;      ///< of the file; absent: not known
  Frames start_frame = 0;            ///< where play began; of a piece of a record not at 0
  Frames first_block = 0;            ///< frames of the first decoded block, when it was not whole; else 0
  int valid_bits = 0;                ///< of its samples; 0: not known
  bool flac = false;
  friend bool operator==(const TraceCoding&, const TraceCoding&) = default;
};

struct TraceTrack {
  Bytes data_begin = 0;  ///< first byte of the samples in the file
  Bytes data_end = 0;    ///< one past the last
  Bytes file_bytes = 0;  ///< size of the file
  Bytes start = 0;  ///< where play began, in [data_begin, data_end]; of a piece of a record not at data_begin
  Bytes first_end = 0;           ///< where the first read ended, when that was no whole block; else 0
  Bytes alignment = kPageBytes;  ///< of its reads
  Bytes block_bytes = 0;         ///< of one read; 0 without a ring
  std::int64_t block_count = 0;  ///< of its ring
  SampleFormat format = SampleFormat::s16_le;  ///< in the file, or as decoded
  int channels = 1;
  bool decoded = false;                 ///< by libsndfile: its reads bring coded bytes
  std::optional<TraceCoding> coding{};  ///< when decoded; absent before version 4
  friend bool operator==(const TraceTrack&, const TraceTrack&) = default;
};

struct TraceChain {
  Frames period = 0;           ///< of the card, granted
  Frames start_threshold = 0;  ///< frames in the card when it starts
  SampleFormat card_format = SampleFormat::s32_le;
  int card_channels = 2;
  bool paced = true;                 ///< false: alsa-lib's null, which takes everything at once
  bool looping = false;              ///< every track was played over and over
  bool silence = false;              ///< --on-starve silence
  bool direct = false;               ///< every track was read with O_DIRECT
  bool reads_in_submit = false;      ///< one read at a time, by the reader itself (pread)
  int queue_depth = 0;               ///< reads under way at once, at the most
  std::vector<TraceTrack> tracks{};  ///< as many as the header names
  friend bool operator==(const TraceChain&, const TraceChain&) = default;
};

/// The bytes that stand in the header behind the names.
std::vector<std::byte> encode_trace_chain(const TraceChain& chain);

/// Nothing when the bytes end too early, or say what no run can have been: a track without channels or of an
/// unknown format, samples outside their file, blocks that are no pages, sizes beyond what `play` grants.
/// Bytes behind what is known here are passed over.
std::optional<TraceChain> decode_trace_chain(std::span<const std::byte> bytes, std::size_t tracks);

}  // namespace xrunlab
