// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// Work for a measuring thread, as a player has it between two wake-ups: random numbers, so many of them that
// on an undisturbed CPU they take the time asked for. Counted, not timed: what interrupts it makes it longer.
#pragma once

#include <atomic>
#include <cstdint>

#include "xrunlab/core/clock.hpp"

namespace xrunlab {

class Burner {
 public:
  Burner() noexcept = default;

  /// Set-up, on the CPU and at the priority of the thread that will burn: finds how much work takes `amount`.
  /// Takes some 2 ms beyond eight times `amount`, of more than 20 ms only of these.
  Burner(Nanoseconds amount, const Clock& clock) noexcept;

  std::int64_t rounds() const noexcept { return rounds_; }

  /// Ends some milliseconds after `stop` has been set. Thread: measuring. Real-time: computes only.
  void burn(const std::atomic<bool>& stop) noexcept;

 private:
  void work(std::int64_t rounds) noexcept;

  std::int64_t rounds_ = 0;
  std::uint64_t state_ = 0x9E3779B97F4A7C15;  // any but 0
};

}  // namespace xrunlab
