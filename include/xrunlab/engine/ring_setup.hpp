// The half of the set-up that makes the rings: how long they are, their memory, and who fills and empties
// them. A coded track has two: raw bytes from the reader to the decoder, and decoded float frames from there
// to the playback thread.
#pragma once

#include <memory>

#include "xrunlab/engine/converted_tracks.hpp"
#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/stream_request.hpp"

namespace xrunlab {

/// The samples of a track as the playback thread finds them: those of the file, or float when it is decoded.
TrackLayout played_layout(const AudioFile& file) noexcept;

/// Opens what must be decoded and fills parts.geometries. Throws Error{usage} for an impossible ring,
/// Error{system} when it does not fit into memory.
void plan_rings(const StreamRequest& request, PlaybackParts& parts);

/// The queues of those who fill the rings.
struct FillerEvents {
  EventProducer<Event> reader;
  EventProducer<Event> decoder;
};

/// Memory, reader, decoder and source, after plan_rings and open_card.
void make_rings(const StreamRequest& request, PlaybackParts& parts, FillerEvents events);

/// io_uring as asked, or with EngineChoice::automatic pread and parts.engine_fallback. Throws Error. After
/// make_rings; runs on the thread that is to read.
std::unique_ptr<IoEngine> make_engine(const StreamRequest& request, PlaybackParts& parts);

/// What the engine granted otherwise than asked becomes fallbacks, as add_fallback does it.
void note_engine(const StreamRequest& request, PlaybackParts& parts, const IoGrant& grant);

/// The playback thread's buffer for a fragment of every track.
std::unique_ptr<ConvertedTracks> make_converted(const StreamRequest& request, const PlaybackParts& parts);

/// Frames that --ring asks of each ring of the set: time and frames as they are, bytes shared over all
/// tracks.
Frames ring_frames(const AudioSize& ring, SampleRate rate, Bytes bytes_per_frame_of_all);

}  // namespace xrunlab
