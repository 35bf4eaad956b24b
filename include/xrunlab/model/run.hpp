// What one run yields: the content of a run file (schema xrunlab/run/1) as plain structs. The engine fills
// it, the verdict reads it, run_json writes and reads it, the reports print it. Times are integer
// nanoseconds, amounts of audio frames, sizes bytes, shares 0 … 1. "at" and "start" are CLOCK_MONOTONIC
// relative to the card's first start unless said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/episode.hpp"
#include "xrunlab/model/experiment_info.hpp"
#include "xrunlab/model/imported.hpp"
#include "xrunlab/model/jack.hpp"
#include "xrunlab/model/latency.hpp"
#include "xrunlab/model/load_data.hpp"
#include "xrunlab/model/system_info.hpp"
#include "xrunlab/model/usage.hpp"
#include "xrunlab/timing/histogram.hpp"

namespace xrunlab {

struct ToolInfo {
  std::string name = "xrunlab";
  std::string version;
  std::string compiler;
  friend bool operator==(const ToolInfo&, const ToolInfo&) = default;
};

struct InputInfo {
  std::string path;
  std::string container;
  std::string format;  ///< ALSA's name for raw PCM, the codec's for coded files
  std::int64_t rate_hz = 0;
  int channels = 0;
  std::int64_t frames = 0;
  bool frames_known = true;
  std::int64_t data_offset = 0;
  std::string filesystem;
  std::string block_device;  ///< "vda", or "" with no block device
  std::string io_scheduler;  ///< the active one, or ""
  friend bool operator==(const InputInfo&, const InputInfo&) = default;
};

struct DeviceInfo {
  std::string name;
  std::string plugin;
  std::string format;
  std::int64_t rate_hz = 0;
  int channels = 0;
  std::int64_t period_frames = 0;
  std::int64_t buffer_frames = 0;
  std::int64_t start_threshold_frames = 0;
  std::int64_t fragment_frames = 0;
  bool simulated = false;
  bool paced = true;
  std::string server;   ///< "PipeWire", "PulseAudio", "JACK" when a sound server's buffer is what is measured
  std::string mapping;  ///< "mix" or "direct"
  std::string samples;  ///< the path the samples took: "int32" or "float32"
  double gain_db = 0;
  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

struct IoInfo {
  std::string engine;              ///< "io_uring", "pread"
  std::vector<std::string> flags;  ///< ring set-up flags granted
  bool direct = false;
  bool fixed_buffers = false;
  bool fixed_files = false;
  std::int64_t io_size_bytes = 0;
  int queue_depth = 0;
  std::string cache;                            ///< "evict" or "keep"
  std::optional<double> cached_share_at_start;  ///< measured by mincore; absent when it could not be
  std::string io_priority;                      ///< "none", "rt:4", …
  friend bool operator==(const IoInfo&, const IoInfo&) = default;
};

struct RtInfo {
  std::string policy;  ///< read back: "SCHED_FIFO", "SCHED_RR", "SCHED_OTHER"
  std::optional<int> priority;
  std::string mlock;  ///< "all", "ring", "off"
  std::optional<std::int64_t> locked_bytes;
  std::optional<std::int64_t> dma_latency_us;
  friend bool operator==(const RtInfo&, const RtInfo&) = default;
};

struct RingInfo {
  bool used = true;         ///< false with --no-ring
  std::int64_t frames = 0;  ///< granted per track, the smallest over the tracks
  std::int64_t bytes = 0;   ///< whole arena
  std::int64_t blocks = 0;  ///< per track
  std::optional<std::int64_t>
      low_water_frames;  ///< fill − F, least over fragments and unfinished tracks; 0 when starved
  std::optional<double> low_water_share;  ///< of `frames`
  std::optional<std::int64_t> ring_needed_frames;
  bool huge_pages = false;
  friend bool operator==(const RingInfo&, const RingInfo&) = default;
};

/// One timed section against the bound. `over` counts durations > bound_ns.
struct SectionData {
  HistogramData histogram;
  std::int64_t over = 0;
  std::int64_t under() const noexcept { return histogram.count - over; }
  friend bool operator==(const SectionData&, const SectionData&) = default;
};

struct TimersData {
  SectionData ring_read;             ///< T1
  SectionData pcm_write;             ///< T2
  SectionData outside;               ///< T3
  std::optional<SectionData> cycle;  ///< only where a sound server called: from its cycle's begin to our end
  friend bool operator==(const TimersData&, const TimersData&) = default;
};

/// Ten seconds (the last one shorter): maxima, counts and low waters.
struct WindowData {
  std::int64_t start_ns = 0;
  std::int64_t length_ns = 0;
  std::int64_t fragments = 0;
  std::int64_t ring_read_max_ns = 0;
  std::int64_t pcm_write_max_ns = 0;
  std::int64_t outside_max_ns = 0;
  std::int64_t lateness_max_ns = 0;
  std::int64_t starved_reads = 0;
  std::int64_t device_xruns = 0;
  std::optional<std::int64_t> ring_low_water_frames;
  std::optional<std::int64_t> slack_low_water_frames;
  std::optional<std::int64_t> cycle_max_ns;  ///< in place of T2 and T3 where a sound server called
  friend bool operator==(const WindowData&, const WindowData&) = default;
};

struct XrunData {
  std::int64_t at_ns = 0;
  std::optional<std::int64_t> dry_ns;
  friend bool operator==(const XrunData&, const XrunData&) = default;
};

/// A starvation episode: starved reads with less than one second of good fragments between them.
struct StarvationData {
  std::int64_t at_ns = 0;
  std::int64_t duration_ns = 0;  ///< sum of the waits, or of the silent fragments
  std::int64_t span_ns = 0;      ///< first to last
  std::int64_t reads = 0;        ///< starved reads joined
  std::int64_t track = 0;        ///< index of the track that was waited for longest
  friend bool operator==(const StarvationData&, const StarvationData&) = default;
};

/// A fault that was asked for with --fault, or a stall of the simulated card.
struct FaultData {
  std::string spec;                      ///< as typed
  std::int64_t count = 0;                ///< how often it was injected
  std::optional<std::int64_t> first_ns;  ///< when first; below 0 while priming; absent: never, or no start
  friend bool operator==(const FaultData&, const FaultData&) = default;
};

struct CountersData {
  std::int64_t fragments = 0;
  std::int64_t frames_played = 0;
  std::int64_t starved_reads = 0;
  std::int64_t starvation_episodes = 0;
  std::int64_t starved_ns = 0;
  std::int64_t starvation_longest_ns = 0;
  std::int64_t device_xruns = 0;
  std::int64_t suspends = 0;
  std::int64_t dropouts = 0;  ///< xruns and silences, those less than 1 s apart joined
  std::int64_t silent_fragments = 0;
  std::int64_t lost_ns = 0;  ///< time in which the card stood still between an xrun and its restart
  std::int64_t short_inputs = 0;
  std::int64_t clipped_samples = 0;
  std::int64_t events_dropped = 0;
  friend bool operator==(const CountersData&, const CountersData&) = default;
};

struct ThroughputData {
  std::int64_t bytes_read = 0;
  std::int64_t reads = 0;
  std::int64_t short_reads = 0;
  std::optional<std::int64_t> device_read_bytes;  ///< /proc/self/io, over the run
  double bytes_per_s = 0;                         ///< bytes_read ÷ time_ns
  double needed_bytes_per_s = 0;
  double realtime_factor = 0;      ///< audio ÷ time_ns; on a paced card audio it played ÷ playing time
  std::optional<double> headroom;  ///< delivered ÷ needed while some block was vacant; absent when never
  std::optional<bool> sustained;   ///< absent without a ring or a paced card
  std::int64_t vacant_ns = 0;      ///< time in which some block was vacant
  std::int64_t time_ns = 0;        ///< priming and playing: bytes are read in both
  friend bool operator==(const ThroughputData&, const ThroughputData&) = default;
};

struct SelfCheck {
  std::string name;  ///< "card_clock", "outside_covers_ring_read", "counts_match"
  bool passed = true;
  std::string detail;  ///< the figures, in a sentence
  friend bool operator==(const SelfCheck&, const SelfCheck&) = default;
};

enum class Verdict { pass, marginal, fail, no_verdict, throughput, measured };

/// What the run was asked to stay within, as far as the verdict needs it.
struct LimitsInfo {
  std::int64_t max_xruns = 0;
  std::int64_t max_starved = 0;
  bool fail_marginal = false;
  friend bool operator==(const LimitsInfo&, const LimitsInfo&) = default;
};

/// The stretch that the verdict is about: from the card's first start to the first end of data, or the
/// duration.
struct WindowInfo {
  std::int64_t length_ns = 0;
  std::int64_t first_end_ns = 0;  ///< when the first track ended, 0 when none did
  std::int64_t exposure_ns = 0;   ///< first start to the end of the last T2
  bool primed_whole = false;      ///< every byte was in the ring before the card started
  friend bool operator==(const WindowInfo&, const WindowInfo&) = default;
};

struct RunData {
  std::string kind = "play";  ///< "replay"; "latency": what belongs to a stream is left at its defaults
  ToolInfo tool;
  std::vector<std::string> cmdline;
  std::string start;  ///< UTC, RFC 3339
  std::string end;
  bool complete = false;
  std::string ended_by;  ///< "end", "duration", "signal 2", "xrun", "input", "device", "reader", "load"
  std::string error;     ///< one line when an input or the card failed
  Verdict verdict = Verdict::no_verdict;
  std::string verdict_line;
  std::vector<std::string> reasons;
  std::vector<std::string> warnings;
  SystemInfo system;
  std::vector<InputInfo> inputs;
  DeviceInfo device;
  IoInfo io;
  RtInfo rt;
  RingInfo ring;
  LimitsInfo limits;
  WindowInfo window;
  std::string load = "none";
  std::string load_error;  ///< why the load was not at work to the end; empty when it was
  bool fault_injected = false;
  std::vector<FaultData> faults;           ///< as asked for, in order
  std::optional<std::int64_t> fault_seed;  ///< absent without --fault
  std::string replay_of;                   ///< the record's name when this is a replay; else empty
  std::int64_t bound_ns = 0;
  TimersData timers;
  SectionData lateness;       ///< bound (B − F)/r
  SectionData wake_lateness;  ///< bound as lateness
  HistogramData io_latency;
  HistogramData deadline_histogram;  ///< fill of the track at each completion, ns of audio
  HistogramData fill_histogram;      ///< least fill at each fragment, ns of audio
  HistogramData slack_histogram;     ///< ns of audio
  std::optional<std::int64_t> slack_low_water_frames;
  std::int64_t startup_ns =
      0;  ///< from the program's start to the first write, priming and ring touching left out
  std::int64_t ring_touch_ns = 0;
  std::int64_t priming_ns = 0;
  std::vector<WindowData> windows;
  std::vector<XrunData> xruns;
  std::vector<StarvationData> starvations;
  std::vector<EpisodeData> episodes;  ///< by start
  CountersData counters;
  ThroughputData throughput;
  std::vector<ThreadData> threads;
  std::optional<MachineUsage> machine_usage;  ///< absent: not counted
  std::vector<SelfCheck> self_checks;
  std::vector<LoadData> loads;
  LatencyData latency;                       ///< of kind "latency" only
  std::optional<ExperimentInfo> experiment;  ///< absent: a run of its own
  std::optional<ImportInfo> imported;        ///< absent: measured by xrunlab
  std::optional<JackData> jack;              ///< of kind "jack" only
  friend bool operator==(const RunData&, const RunData&) = default;
};

/// Whether a sound server called for each period: then T2, T3, lateness and slack do not apply.
inline bool server_driven(const RunData& run) noexcept {
  return run.timers.cycle.has_value();
}

}  // namespace xrunlab
