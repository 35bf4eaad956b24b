// The timeline of evidence around an episode: what the threads told about themselves (exact spans) and what
// was sampled of the machine (counters, ten times a second). Plain data; collected by the engine on the
// collector's thread, read by attribution. All times are nanoseconds of CLOCK_MONOTONIC.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/spans.hpp"

namespace xrunlab {

/// Counters of one thread since it began. Absent: not there (yet, or any more), or not counted by the kernel.
struct ThreadSample {
  std::optional<std::int64_t> run_delay_ns;  ///< ready, but not run
  std::optional<std::int64_t> cpu_ns;
  std::optional<std::int64_t> minor_faults;
  std::optional<std::int64_t> major_faults;
};

enum class SampledThread : std::uint8_t { playback, reader, decoder };
inline constexpr std::size_t kSampledThreads = 3;

/// Counters of the machine at one moment.
struct SystemSample {
  std::int64_t at_ns = 0;
  std::array<ThreadSample, kSampledThreads> threads;
  std::vector<std::int64_t> steal_ns;        ///< by CPU; empty: not known
  std::optional<std::int64_t> iowait_ns;     ///< all CPUs
  std::optional<std::int64_t> suspended_ns;  ///< CLOCK_BOOTTIME − CLOCK_MONOTONIC
  std::optional<std::int64_t> cpu_pressure_ns;
  std::optional<std::int64_t> io_pressure_ns;
  std::optional<std::int64_t> memory_pressure_ns;
  std::vector<std::optional<std::int64_t>> device_busy_ns;  ///< by device, in the order of the timeline
  std::optional<std::int64_t> decoded_frames;

  const ThreadSample& thread(SampledThread which) const noexcept {
    return threads[static_cast<std::size_t>(which)];
  }
};

/// A read of a track that had little left. Up to completed_ns the time was the disk's.
struct ReadSpan {
  std::uint32_t track = 0;
  std::int64_t offset = 0;
  std::int64_t submitted_ns = 0;
  std::int64_t completed_ns = 0;
  std::int64_t seen_ns = 0;
  std::uint32_t in_flight = 0;
};

/// A time in which a coded track had room, but no raw bytes.
struct RawWaitSpan {
  std::uint32_t track = 0;
  Span span;
};

inline constexpr int kUndecoded = -1;

/// A track that could not be read on: from the submission of the read that failed.
struct InputFault {
  std::uint32_t track = 0;
  std::int64_t offset = 0;
  int error_number = 0;  ///< 0: ended too early; kUndecoded: could be read, but not decoded
  Span span;
};

/// With --blame: a thread was ready and did not run, and who had its processor when it was let in.
struct RunnableSpan {
  SampledThread thread = SampledThread::playback;
  Span span;
  std::string ran_instead;
};

struct TrackInfo {
  std::string name;   ///< as shown
  std::string codec;  ///< empty: raw PCM, not decoded
  std::string device;
  std::optional<std::size_t> device_index;  ///< into SystemSample::device_busy_ns
};

struct EvidenceTimeline {
  std::vector<TrackInfo> tracks;
  std::int64_t rate_hz = 0;
  std::vector<SystemSample> samples;  ///< ascending
  std::vector<ReadSpan> reads;
  std::vector<Span> reader_late;  ///< from the planned wake-up to the real one
  std::vector<RawWaitSpan> raw_waits;
  std::vector<InputFault> input_faults;
  std::vector<RunnableSpan> runnable;
  bool sched_trace = false;         ///< `runnable` is whole
  std::string sched_trace_missing;  ///< else why
  bool reader_blocks = false;       ///< it reads itself (pread), so its wake-ups tell nothing
  int queue_depth = 0;              ///< reads under way at the most; 0: not known

  /// Where an episode's data comes from: its track, or, when none is named and all lie on one device, the
  /// first. Null when that cannot be said.
  const TrackInfo* source(std::optional<std::uint32_t> track) const noexcept {
    if (track) return *track < tracks.size() ? &tracks[*track] : nullptr;
    for (const auto& each : tracks) {
      if (each.device != tracks.front().device) return nullptr;
    }
    return tracks.empty() ? nullptr : &tracks.front();
  }
};

}  // namespace xrunlab
