// One episode of a run (a starvation, an xrun, a section far over the bound, an early end) with what it was
// put down to: plain data of the run file, beside RunData. Times are nanoseconds, shares 0 … 1. A value that
// could not be measured, or that says nothing here, is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xrunlab {

/// How much of the window each cause could explain. Absent: it cannot be the cause of such an episode, or its
/// evidence could not be had.
struct CauseShares {
  std::optional<std::int64_t> input_ns;
  std::optional<std::int64_t> suspend_ns;
  std::optional<std::int64_t> page_fault_ns;
  std::optional<std::int64_t> scheduler_ns;
  std::optional<std::int64_t> reader_ns;
  std::optional<std::int64_t> decoder_ns;
  std::optional<std::int64_t> disk_ns;
  std::optional<std::int64_t> card_ns;
  friend bool operator==(const CauseShares&, const CauseShares&) = default;
};

/// The read that the starved track was waiting for longest: its own, or one of another track that took its
/// place in a full queue.
struct AwaitedRead {
  std::optional<std::int64_t> track;
  std::optional<std::int64_t> offset_bytes;
  std::optional<std::int64_t> age_ns;  ///< from submission until it came, or until the run ended
  std::optional<std::int64_t> in_flight;
  friend bool operator==(const AwaitedRead&, const AwaitedRead&) = default;
};

/// What a thread used between the samples before and after the window.
struct ThreadEvidence {
  std::optional<std::int64_t> run_delay_ns;
  std::optional<std::int64_t> cpu_ns;
  std::optional<std::int64_t> minor_faults;
  std::optional<std::int64_t> major_faults;
  friend bool operator==(const ThreadEvidence&, const ThreadEvidence&) = default;
};

/// What happened to the machine between these samples.
struct MachineEvidence {
  std::optional<std::int64_t> steal_ns;   ///< of the CPU from which most was stolen
  std::optional<std::int64_t> iowait_ns;  ///< idle time with a read outstanding, of all CPUs
  std::optional<std::int64_t> suspended_ns;
  std::optional<std::int64_t> cpu_pressure_ns;
  std::optional<std::int64_t> io_pressure_ns;
  std::optional<std::int64_t> memory_pressure_ns;
  friend bool operator==(const MachineEvidence&, const MachineEvidence&) = default;
};

struct EpisodeEvidence {
  std::string detail;          ///< one sentence for people
  std::int64_t window_ns = 0;  ///< from the last on-time event to the end
  std::int64_t lost_ns = 0;    ///< of it, what was too much
  std::int64_t explained_ns = 0;
  bool bracketed = false;                  ///< by counters that were read before and after the window only
  std::optional<std::int64_t> bracket_ns;  ///< between those readings
  CauseShares overlap;
  std::optional<std::int64_t> track;
  AwaitedRead read;
  std::string device;                       ///< that the track is on; empty when not known
  std::optional<double> device_busy_share;  ///< of the time between the samples
  std::optional<std::int64_t> reader_late_ns;
  std::optional<std::int64_t> wake_late_ns;
  std::optional<double> decoder_cpu_per_audio;  ///< seconds of CPU for a second of audio
  ThreadEvidence playback;
  ThreadEvidence reader;
  ThreadEvidence decoder;
  MachineEvidence machine;
  std::string ran_instead;           ///< with --blame: who had the playback thread's processor
  std::vector<std::string> missing;  ///< evidence that could not be had
  friend bool operator==(const EpisodeEvidence&, const EpisodeEvidence&) = default;
};

struct EpisodeData {
  std::string kind;  ///< "starvation", "xrun", "ring_read", "pcm_write", "outside", "end"
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::string cause;  ///< "disk", "reader", …, "unknown"
  double confidence = 0;
  std::optional<std::int64_t> caused_by;  ///< index of the starvation that an xrun lies in
  EpisodeEvidence evidence;
  friend bool operator==(const EpisodeData&, const EpisodeData&) = default;
};

}  // namespace xrunlab
