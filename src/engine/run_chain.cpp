#include "xrunlab/engine/run_chain.hpp"

#include <algorithm>

#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/ring_setup.hpp"

namespace xrunlab {
namespace {

TraceTrack traced(const StreamRequest& request, const PlaybackParts& parts, std::size_t index) {
  const auto& file = request.files[index];
  const TrackLayout layout = played_layout(file);
  TraceTrack track{.data_begin = file.data_offset,
                   .data_end = file.data_offset + file.data_bytes,
                   .file_bytes = std::max(file.file_bytes, file.data_offset + file.data_bytes),
                   .start = file.data_offset,
                   .alignment = parts.inputs.handles[index].alignment,
                   .format = layout.format,
                   .channels = layout.channels,
                   .decoded = file.decoded()};
  if (request.replay) {
    const auto first = first_read_of(request, index);
    track.start = first.begin;
    track.first_end = first.end;
  }
  if (!parts.geometries.empty()) {
    track.block_bytes = parts.geometries[index].block_bytes;
    track.block_count = parts.geometries[index].block_count;
  }
  return track;
}

}  // namespace

TraceChain chain_of(const StreamRequest& request, const PlaybackParts& parts) {
  const PcmGrant& card = parts.pcm->grant();
  const bool waits_for_each = request.disk.engine == EngineChoice::pread;
  TraceChain chain{.period = card.period,
                   .start_threshold = card.start_threshold,
                   .card_format = card.format,
                   .card_channels = card.channels,
                   .paced = card.paced,
                   .looping = request.looping == Looping::forever,
                   .silence = request.on_starve == StarveAnswer::silenced,
                   .direct = parts.inputs.direct,
                   .reads_in_submit = waits_for_each,
                   .queue_depth = waits_for_each ? 1 : request.disk.queue_depth};
  for (std::size_t index = 0; index < request.files.size(); ++index)
    chain.tracks.push_back(traced(request, parts, index));
  return chain;
}

}  // namespace xrunlab
