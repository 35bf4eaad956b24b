// Everything that a latency run is asked to be, parsed and checked: what `latency` hands to run_latency.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/engine/timer_wakes.hpp"
#include "xrunlab/platform/memory_lock.hpp"
#include "xrunlab/platform/scheduling.hpp"

namespace xrunlab {

enum class WakeClock { nanosleep, timerfd, rtc, pcm };

/// "nanosleep", "timerfd", "rtc", "pcm", as the run file names them.
std::string_view to_string(WakeClock clock) noexcept;

struct LatencyRequest {
  WakeClock clock = WakeClock::nanosleep;
  Nanoseconds interval = std::chrono::milliseconds{10};  ///< of nanosleep and timerfd
  RtcRequest rtc;
  PcmRequest card;
  std::int64_t loops = 10'000;          ///< planned wake-ups of each thread in each round
  std::optional<Nanoseconds> duration;  ///< of a round, instead of `loops`
  SchedSpec sched{SchedPolicy::fifo, 80};
  std::vector<std::vector<int>> cpus{{}};  ///< for each thread what it is bound to; empty: free
  std::string affinity;                    ///< as typed
  std::int64_t rounds = 1;
  Nanoseconds pause = std::chrono::seconds{10};
  double burn_share = 0;  ///< of the interval
  std::optional<Nanoseconds> limit;
  std::optional<std::chrono::microseconds> dma_latency;
  MemoryLockMode lock = MemoryLockMode::all;
  std::optional<std::filesystem::path> record;
  Strictness strict = Strictness::warn;
  std::optional<Accompaniment> accompaniment;
};

}  // namespace xrunlab
