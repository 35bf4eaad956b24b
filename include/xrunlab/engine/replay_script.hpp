// A recorded run made ready to be played again: its reads, how late its threads were, when its card stood
// still, what the machine did to it. Made by main from a trace, which may say anything; read-only from then
// on, by every thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/audio/late_pcm.hpp"
#include "xrunlab/audio/sim_card.hpp"
#include "xrunlab/disk/recorded_decoding.hpp"
#include "xrunlab/disk/recorded_reads.hpp"
#include "xrunlab/engine/disk_source.hpp"
#include "xrunlab/timing/trace_reader.hpp"

namespace xrunlab {

/// The playback thread was held up between two fragments. `at` counts from the card's first start.
struct RecordedHold {
  Nanoseconds at{};
  Nanoseconds length{};
};

/// Counters of the machine at an instant that counts from the card's first start.
struct RecordedSample {
  Nanoseconds at{};
  SampleEvent counters{};
};

/// Whether the run had read-ahead: else the playback thread read the disk itself (--no-ring).
bool has_rings(const TraceChain& chain) noexcept;

/// Bytes of a frame of a track in its ring.
Bytes played_frame_bytes(const TraceTrack& track) noexcept;

struct ReplayScript {
  std::string name;    ///< the file's, as shown
  TraceHeader header;  ///< with its chain
  std::shared_ptr<const RecordedReads> reads;
  RecordedTakes takes;                                            ///< without a ring
  std::vector<std::shared_ptr<const RecordedDecoding>> decoding;  ///< by track; of coded ones only
  std::vector<LateWake> late_wakes;                               ///< by fragment
  std::vector<RecordedHold> holds;                                ///< ascending
  std::vector<SimStall> card_stalls;
  std::vector<RecordedSample> samples;  ///< ascending
  Frames frames_played = 0;
  Nanoseconds length{};       ///< from the card's first start to the last event
  bool input_failed = false;  ///< a read failed, or could not be had
  bool hung = false;          ///< a read that was needed had not come when the run ended
  std::string incomplete;     ///< one line: the trace is cut, damaged, or lacks events; empty when whole
};

/// What is shorter than this of a thread's lateness is the ordinary way of a machine, and is not played
/// again.
inline constexpr Nanoseconds kReplayedLateness = std::chrono::milliseconds{1};

/// Whether a run with this header can be played again at all. Throws Error{input_file} that begins with
/// `name`.
void check_replayable(const TraceHeader& header, const std::string& name);

/// Reads the whole trace, in memory that its size bounds, up to four million reads. A damaged one is taken up
/// to the damage. Throws Error{input_file}: no trace, one of an older xrunlab, of an unpaced card, one in
/// which the card never started, or one of pieces.
ReplayScript load_replay_script(const std::filesystem::path& path);

}  // namespace xrunlab
