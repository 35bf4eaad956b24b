// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The loop of a measuring thread of `latency`: compute, wait, take how late the wake-up was. A stall counts
// with every wake-up that was planned in it. One object for each thread and round, made by main in set-up;
// its counts may be read by main meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "ringbuffer/event_queue.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/engine/burner.hpp"
#include "xrunlab/engine/wake_source.hpp"
#include "xrunlab/platform/trace_marker.hpp"
#include "xrunlab/timing/histogram.hpp"

namespace xrunlab {

/// A planned wake-up, as --record keeps it.
struct WakeSample {
  std::int64_t planned_ns = 0;  ///< CLOCK_MONOTONIC
  std::int64_t late_ns = 0;
  bool missed = false;
};

/// What the loop has counted; written by its thread alone. Thread: any reads.
struct WakeCounts {
  Histogram all;            ///< every planned wake-up that came due, the missed ones too
  Histogram as_cyclictest;  ///< those for which the thread was really woken
  std::atomic<std::int64_t> missed{0};
  std::atomic<std::int64_t> over{0};                ///< of `all`, later than the limit
  std::atomic<std::int64_t> over_as_cyclictest{0};  ///< of the others
  std::atomic<std::int64_t> early{0};               ///< woken before the planned instant: a broken clock
  std::atomic<std::int64_t> last_ns{0};
};

enum class WakeEnd : std::uint8_t { loops, limit, stopped, failed };

struct WakeLoopConfig {
  std::int64_t loops = 0;            ///< planned wake-ups to count
  std::optional<Nanoseconds> limit;  ///< a later one ends the loop
  Nanoseconds burn{};                ///< of computing before each wait
};

class WakeLoop {
 public:
  struct Parts {
    WakeSource& source;
    WakeCounts& counts;
    const Clock& clock;
    std::atomic<bool>& stop;                       ///< set by the loop too where it ends at the limit
    TraceMarker* marker = nullptr;                 ///< told what broke the limit
    EventProducer<WakeSample>* samples = nullptr;  ///< of --record
  };

  WakeLoop(const WakeLoopConfig& config, const Parts& parts) noexcept : config_(config), parts_(parts) {}

  /// Set-up, on the measuring thread once it has its CPU and priority: finds how much is to be computed.
  void prepare() noexcept { burner_ = Burner(config_.burn, parts_.clock); }

  /// Wakes up until the end. Thread: measuring. Real-time: sleeps in the source only.
  WakeEnd run(Nanoseconds first) noexcept;

  /// Negative errno after WakeEnd::failed.
  int error() const noexcept { return error_; }

 private:
  void count(const WakeUp& wake) noexcept;
  void record(Nanoseconds planned, Nanoseconds late, bool missed) noexcept;

  WakeLoopConfig config_;
  Parts parts_;
  Burner burner_;
  std::int64_t counted_ = 0;
  int error_ = 0;
};

}  // namespace xrunlab
