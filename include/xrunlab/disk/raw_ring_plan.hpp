// Sizes the ring of raw bytes between the disk reader and the decoder of one coded track. Pure arithmetic, on
// set-up threads.
#pragma once

#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/coded_stream.hpp"
#include "xrunlab/disk/read_plan.hpp"

namespace xrunlab {

/// What the decoder asks of a track at a time, at most.
inline constexpr Frames kDecodedChunk = 4096;

/// The bytes that the disk reader must deliver for `stream`, just opened from `file`.
DataExtent raw_extent(const AudioFile& file, const CodedStream& stream) noexcept;

/// How fast a track uses its raw bytes.
struct RawRate {
  double bytes_per_second = 0;
  bool assumed = false;  ///< the length is unknown: as if it were 16-bit PCM (of the file's bits, if known)
};

/// The average over the file.
RawRate raw_rate(const AudioFile& file, DataExtent raw) noexcept;

/// Length of one raw byte as audio, on average: TrackSource::ns_per_byte of a coded track.
double raw_ns_per_byte(const AudioFile& file, DataExtent raw) noexcept;

/// Bytes that let libsndfile decode kDecodedChunk frames without running dry: their largest size in the codec
/// and what it reads ahead.
Bytes raw_bytes_ahead(const AudioFile& file) noexcept;

/// `ring` of audio at the average rate; at least 4 blocks and twice raw_bytes_ahead().
RingGeometry plan_raw_ring(const AudioFile& file, DataExtent raw, Nanoseconds ring);

/// Frames that a ring of `geometry` holds as decoded float: RingTrack::capacity. Blocks hold whole frames
/// only.
Frames decoded_capacity(const AudioFile& file, const RingGeometry& geometry) noexcept;

}  // namespace xrunlab
