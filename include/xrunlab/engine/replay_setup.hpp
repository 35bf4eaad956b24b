// What set-up does otherwise when a run is played again: no files are opened, and the disk is a script.
// Called by main, the disk is made on the reader thread.
#pragma once

#include <memory>

#include "xrunlab/audio/late_pcm.hpp"
#include "xrunlab/engine/playback_setup.hpp"

namespace xrunlab {

/// What of a record gives way to what was typed.
struct ReplayChanges {
  bool ring = false;
  bool io_size = false;
  bool queue_depth = false;
  bool period = false;  ///< --period-size
  bool fragment = false;
  bool buffer = false;  ///< --buffer-size or --periods
  bool card = false;    ///< -D
  bool channels = false;
  bool format = false;
  bool on_starve = false;
  bool duration = false;
};

/// Fills in from the record what was not typed: tracks, rings, card, and how long it plays.
void play_again(const std::shared_ptr<const ReplayScript>& script, const ReplayChanges& changes,
                StreamRequest& request);

/// Instead of open_inputs. Throws as check_inputs.
InputSet replayed_inputs(const StreamRequest& request);

/// Where the first read of a track begins, and ends when that is no whole block.
FirstRead first_read_of(const StreamRequest& request, std::size_t index);

RingGeometry recorded_ring(const StreamRequest& request, std::size_t index);

/// Of a coded track: the ring of its coded bytes, and what stands in for its decoder.
RingGeometry recorded_raw_ring(const StreamRequest& request, std::size_t index);
Frames first_block_of(const StreamRequest& request, std::size_t index);
CodedStream replayed_stream(const StreamRequest& request, std::size_t index);

/// The recorded late wake-ups, where the fragment is so long.
std::vector<LateWake> late_wakes_in(const ReplayScript& script, Frames fragment);

void plan_recorded_holds(const StreamRequest& request, PlaybackParts& parts);

/// Thread: reader.
std::unique_ptr<IoEngine> make_replayed_disk(const StreamRequest& request, PlaybackParts& parts);

/// The machine as it was recorded, at `now`; nothing of it before the card started.
SystemSample recorded_machine(const ReplayScript& script, Nanoseconds now, Nanoseconds started);

}  // namespace xrunlab
