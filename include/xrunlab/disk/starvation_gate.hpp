// Where a starved playback thread sleeps and whoever fills rings wakes it. The filling side pays one relaxed
// load a batch while nobody waits. In virtual time, on one thread, sleeping lets the clock move instead.
#pragma once

#include <atomic>
#include <cstdint>

#include "xrunlab/core/units.hpp"
#include "xrunlab/core/virtual_clock.hpp"

namespace xrunlab {

class StarvationGate {
 public:
  StarvationGate() = default;
  /// With a clock, which must outlive the gate, whoever wakes it is one of the clock's actors.
  explicit StarvationGate(VirtualClock* clock) noexcept : virtual_clock_(clock) {}

  /// Announces that `position` (frames since the start of play, the same for every track) is wanted in all
  /// rings. After this the caller looks at the rings once more, then calls sleep(). Thread: playback.
  /// Real-time: wait-free.
  void announce(Frames position) noexcept {
    wanted_.store(position, std::memory_order_relaxed);
    waiting_.exchange(1, std::memory_order_acq_rel);
  }

  /// Sleeps until woken or `limit` has passed. Thread: playback. The one system call of a starved read.
  void sleep(Nanoseconds limit) noexcept;

  /// Thread: playback. Real-time: wait-free.
  void withdraw() noexcept { waiting_.store(0, std::memory_order_relaxed); }

  /// The position that is waited for, or −1. Call after publishing. Thread: reader, decoder. Real-time:
  /// wait-free.
  Frames wanted() noexcept {
    return waiting_.fetch_add(0, std::memory_order_acq_rel) != 0 ? wanted_.load(std::memory_order_relaxed)
                                                                 : -1;
  }

  /// Thread: reader, decoder, main.
  void wake() noexcept;

 private:
  alignas(64) std::atomic<std::uint32_t> waiting_{0};
  std::atomic<Frames> wanted_{0};
  VirtualClock* virtual_clock_ = nullptr;
};

}  // namespace xrunlab
