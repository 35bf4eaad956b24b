// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// How often a fault was injected, and when first: counted by the one thread that the fault befalls, read by
// main when the run is over.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

class FaultCount {
 public:
  /// Thread: the one that the fault befalls. Real-time: wait-free.
  void note(Nanoseconds at) noexcept {
    const auto before = count_.load(std::memory_order_relaxed);
    if (before == 0) first_ns_.store(at.count(), std::memory_order_relaxed);
    count_.store(before + 1, std::memory_order_relaxed);
  }

  /// Thread: any.
  std::int64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

  /// CLOCK_MONOTONIC; nothing when it never was. Thread: any.
  std::optional<Nanoseconds> first() const noexcept {
    if (count() == 0) return std::nullopt;
    return Nanoseconds{first_ns_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::int64_t> count_{0};
  std::atomic<std::int64_t> first_ns_{0};
};

}  // namespace xrunlab
