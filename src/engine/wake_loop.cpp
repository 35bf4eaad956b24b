// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/wake_loop.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

/// One writer: load and store instead of a locked add.
void bump_count(std::atomic<std::int64_t>& counter, std::int64_t amount) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace

WakeEnd WakeLoop::run(Nanoseconds first) noexcept {
  error_ = parts_.source.start(first);
  if (error_ != 0) return WakeEnd::failed;
  WakeEnd end = WakeEnd::loops;
  while (counted_ < config_.loops) {
    if (config_.burn.count() > 0) burner_.burn(parts_.stop);
    const WakeUp wake = parts_.source.wait();
    if (wake.status != WakeStatus::woken) {
      error_ = wake.error;
      end = wake.status == WakeStatus::stopped ? WakeEnd::stopped : WakeEnd::failed;
      break;
    }
    count(wake);
    if (config_.limit && wake.late > *config_.limit) {
      if (parts_.marker != nullptr) parts_.marker->mark(wake.late, *config_.limit);
      parts_.stop.store(true, std::memory_order_relaxed);
      end = WakeEnd::limit;
      break;
    }
  }
  parts_.source.stop();
  return end;
}

/// Those missed were due an interval apart, so each is an interval less late than the one before.
void WakeLoop::count(const WakeUp& wake) noexcept {
  WakeCounts& counts = parts_.counts;
  const Nanoseconds planned = wake.at - wake.late;
  if (wake.late.count() < 0) bump_count(counts.early, 1);
  counts.as_cyclictest.record(wake.late);
  counts.last_ns.store(wake.late.count(), std::memory_order_relaxed);
  if (config_.limit && wake.late > *config_.limit) bump_count(counts.over_as_cyclictest, 1);
  record(planned, wake.late, false);
  ++counted_;
  const std::int64_t missed = std::min(wake.missed, config_.loops - counted_);
  for (std::int64_t behind = 1; behind <= missed; ++behind) {
    const Nanoseconds distance = behind * parts_.source.interval();
    record(planned + distance, wake.late - distance, true);
  }
  counted_ += missed;
  bump_count(counts.missed, missed);
}

void WakeLoop::record(Nanoseconds planned, Nanoseconds late, bool missed) noexcept {
  parts_.counts.all.record(late);
  if (config_.limit && late > *config_.limit) bump_count(parts_.counts.over, 1);
  if (parts_.samples != nullptr) parts_.samples->push({planned.count(), late.count(), missed});
}

}  // namespace xrunlab
