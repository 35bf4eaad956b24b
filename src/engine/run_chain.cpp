#include "xrunlab/engine/run_chain.hpp"

#include <algorithm>

#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/ring_setup.hpp"

namespace xrunlab {
namespace {

/// Of a coded track the data are the coded bytes that the reader reads.
void describe_coding(const StreamRequest& request, const PlaybackParts& parts, std::size_t index,
                     TraceTrack& track) {
  const auto& file = request.files[index];
  const auto coded = std::find_if(parts.coded.begin(), parts.coded.end(),
                                  [index](const CodedTrack& other) { return other.track == index; });
  if (coded == parts.coded.end()) return;
  track.data_begin = track.start = coded->extent.begin;
  track.data_end = track.file_bytes = std::max(coded->extent.begin, coded->extent.end);
  track.coding = TraceCoding{.raw_block_bytes = coded->raw_ring.block_bytes,
                             .raw_block_count = coded->raw_ring.block_count,
                             .frames = file.frames_known ? std::optional(file.frames) : std::nullopt,
                             .valid_bits = file.valid_bits,
                             .flac = file.codec.starts_with("FLAC")};
  if (request.replay) {
    const auto& recorded = request.replay->script->header.chain->tracks[index].coding;
    track.coding->start_frame = recorded ? recorded->start_frame : 0;
    track.coding->first_block = recorded && request.replay->recorded_rings ? recorded->first_block : 0;
  }
}

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
  if (!parts.geometries.empty() && file.decoded()) describe_coding(request, parts, index, track);
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
