// All that a run needs before its threads start, made in the right order: card, rings, reader, source, mixer,
// recorder and collector. What allocates for the playback thread does it here.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/audio/pcm_writer.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/virtual_clock.hpp"
#include "xrunlab/core/wake_event.hpp"
#include "xrunlab/disk/coded_stream.hpp"
#include "xrunlab/disk/decoder.hpp"
#include "xrunlab/disk/disk_reader.hpp"
#include "xrunlab/disk/playback_progress.hpp"
#include "xrunlab/disk/ring_arena.hpp"
#include "xrunlab/disk/starvation_gate.hpp"
#include "xrunlab/engine/cycle_playback.hpp"
#include "xrunlab/engine/disk_source.hpp"
#include "xrunlab/engine/injected_faults.hpp"
#include "xrunlab/engine/input_set.hpp"
#include "xrunlab/engine/playback_loop.hpp"
#include "xrunlab/engine/ring_source.hpp"
#include "xrunlab/engine/run_causes.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/platform/file_watch.hpp"
#include "xrunlab/platform/memory_lock.hpp"
#include "xrunlab/timing/collector.hpp"
#include "xrunlab/timing/recorder.hpp"

namespace xrunlab {

/// One line about something that was granted otherwise than asked, and the exit code that --strict makes of
/// it.
struct Fallback {
  ExitCode kind = ExitCode::system;
  std::string text;
};

/// What stands between file and ring of a track that must be decoded.
struct CodedTrack {
  std::size_t track = 0;                ///< index of the file
  std::unique_ptr<CodedStream> stream;  ///< until the decoder takes it
  DataExtent extent;                    ///< its coded bytes in the file
  RingGeometry raw_ring;
};

/// The parts of one run. Exactly one of ring_source and disk_source is there. Members are destroyed in
/// reverse order, so what others refer to comes first.
struct PlaybackParts {
  /// `in_virtual_time`: absent, the run takes place on CLOCK_MONOTONIC. It must outlive the parts.
  explicit PlaybackParts(VirtualClock* in_virtual_time = nullptr)
      : virtual_clock(in_virtual_time),
        clock(in_virtual_time != nullptr ? static_cast<Clock&>(*in_virtual_time) : system_clock),
        gate(in_virtual_time) {}

  SystemClock system_clock;
  VirtualClock* virtual_clock;
  Clock& clock;
  std::atomic<bool> stop{false};
  WakeEvent reader_wake;                   ///< set after `stop`
  std::unique_ptr<InjectedFaults> faults;  ///< with --fault
  FaultCount recorded_hold_count;
  std::unique_ptr<PlannedDelays> recorded_holds;  ///< of a replay
  InputSet inputs;
  std::unique_ptr<FileWatch> watch;  ///< of the inputs
  std::vector<Fallback> fallbacks;
  std::unique_ptr<Pcm> pcm;
  ServerPcm* server_pcm = nullptr;  ///< the same, where a sound server calls
  std::unique_ptr<MemoryLock> lock;
  std::vector<RingGeometry> geometries;  ///< by track; empty with --no-ring
  std::vector<CodedTrack> coded;         ///< in the order of the decoder's tracks
  std::unique_ptr<RingArena> arena;
  PlaybackProgress progress;
  StarvationGate gate;
  std::unique_ptr<Histogram> disk_latency;  ///< of --no-ring's own reads
  std::string engine_fallback;  ///< why not io_uring; written by the reader thread before reader->ready()
  std::unique_ptr<DiskReader> reader;
  std::unique_ptr<Decoder> decoder;  ///< when some track must be decoded
  std::unique_ptr<RingSource> ring_source;
  std::unique_ptr<DiskSource> disk_source;
  std::unique_ptr<FragmentMixer> mixer;
  std::unique_ptr<PcmWriter> writer;
  std::unique_ptr<PlaybackRecorder> recorder;
  std::unique_ptr<RunCauses> causes;  ///< on a paced card: without deadlines nothing is late
  std::unique_ptr<Collector> collector;
  std::unique_ptr<PlaybackLoop> loop;     ///< absent where a sound server calls
  std::unique_ptr<CyclePlayback> cycles;  ///< then this one plays
  SamplePath path = SamplePath::float32;
  double gain_db = 0;
  Nanoseconds bound{};
  Nanoseconds opened{};  ///< CLOCK_MONOTONIC when the trace's clock starts

  FragmentSource& source() const noexcept {
    return ring_source ? static_cast<FragmentSource&>(*ring_source) : *disk_source;
  }
};

/// What main wants to hear while the run goes on.
struct StreamListeners {
  std::function<void(const PlaybackParts&)> live;  ///< called on the collector's thread
  std::function<void(const std::string&)> warn;    ///< called on the collector's thread
  /// The run as far as it has come, incomplete, now and then while it plays; called on main's thread.
  std::function<void(const RunData&)> so_far;
  Nanoseconds so_far_interval = std::chrono::minutes{1};
};

/// Throws Error for everything that makes the run impossible, and with Strictness::refuse for the first
/// fallback.
std::unique_ptr<PlaybackParts> set_up_playback(const StreamRequest& request, const StreamListeners& listeners,
                                               VirtualClock* virtual_clock = nullptr);

/// Card and lengths of the rings only, for files that need not be there yet. Throws as set_up_playback.
std::unique_ptr<PlaybackParts> plan_playback(const StreamRequest& request);

/// What the playback thread asks the scheduler for: as asked, else f:70, and the ordinary policy on an
/// unpaced card.
SchedSpec playback_scheduling(const RealtimeRequest& request, const PcmGrant& card);

/// Whether the run is tormented on purpose, by --fault or by a card that was told to stall: it is then no
/// measurement. Thread: any.
bool tormented(const PlaybackParts& parts);

/// Adds a fallback. Throws Error of its kind with Strictness::refuse.
void add_fallback(PlaybackParts& parts, Strictness strict, Fallback fallback);

}  // namespace xrunlab
