// Everything that one run is asked to be, parsed and checked: what `play` and every experiment hand to
// run_stream.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/read_plan.hpp"
#include "xrunlab/disk/ring_arena.hpp"
#include "xrunlab/disk/track_file.hpp"
#include "xrunlab/disk/uring_engine.hpp"
#include "xrunlab/engine/fragment_mixer.hpp"
#include "xrunlab/engine/playback_loop.hpp"
#include "xrunlab/model/fault.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/affinity.hpp"
#include "xrunlab/platform/io_priority.hpp"
#include "xrunlab/platform/memory_lock.hpp"
#include "xrunlab/platform/scheduling.hpp"

namespace xrunlab {

enum class RingUse { ring, none };
enum class EngineChoice { automatic, uring, pread };
enum class CacheUse { evict, keep };
enum class Strictness { warn, refuse };
enum class Blame { with_counters, with_sched_trace };

struct DiskRequest {
  RingUse ring_use = RingUse::ring;
  AudioSize ring = Nanoseconds{std::chrono::seconds{5}};  ///< per track; bytes are over all tracks
  EngineChoice engine = EngineChoice::automatic;
  std::optional<Bytes> io_size;
  int queue_depth = 32;
  DirectMode direct = DirectMode::automatic;
  Submission submission = Submission::by_call;
  Buffers buffers = Buffers::registered;
  CacheUse cache = CacheUse::evict;
  IoPriority io_priority;
};

struct RealtimeRequest {
  std::optional<SchedSpec> playback;  ///< absent: f:70, and the ordinary policy on an unpaced card
  SchedSpec reader;
  AffinityPlan affinity;
  MemoryLockMode lock = MemoryLockMode::all;
  std::optional<std::chrono::microseconds> dma_latency;
};

/// What goes on beside a run and must go on to its end, or the run is worth nothing: a load.
struct Accompaniment {
  std::string name;               ///< what the run was ended by
  std::function<bool()> goes_on;  ///< asked by main, four times a second while the run is primed and played
};

struct ReplayScript;

/// A run that is played again: the reads are those of a record, and there are no files.
struct ReplayRequest {
  std::shared_ptr<const ReplayScript> script;
  bool recorded_rings = true;  ///< as they were; else as DiskRequest asks
};

struct StreamRequest {
  std::vector<AudioFile> files;
  PcmRequest card;  ///< its rate is taken from the files
  ChannelMap map = ChannelMap::mix;
  std::optional<double> gain_db;  ///< absent: 0 on silent devices, −40 on others
  DiskRequest disk;
  RealtimeRequest realtime;
  std::optional<Nanoseconds> duration;  ///< absent: to the end of the longest track; 0 with looping: endless
  Looping looping = Looping::once;
  OnXrun on_xrun = OnXrun::go_on;
  StarveAnswer on_starve = StarveAnswer::waited;
  LimitsInfo limits;
  std::optional<Nanoseconds> bound;
  std::optional<std::filesystem::path> record;
  std::optional<Nanoseconds> record_last;  ///< keep only so much, and what is around each episode
  Strictness strict = Strictness::warn;
  Blame blame = Blame::with_counters;
  Nanoseconds program_start{};  ///< CLOCK_MONOTONIC, for startup_ns
  std::optional<ReplayRequest> replay;
  FaultPlan faults;  ///< injected on purpose; the run is then no measurement
  std::optional<Accompaniment> accompaniment;
  RingMemory ring_memory = RingMemory::touched;
  std::function<void()> checkpoint;  ///< called in long steps of the set-up; what it throws ends the set-up
};

}  // namespace xrunlab
