// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/timing/planned_delays.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

constexpr Nanoseconds kSleepSlice = std::chrono::milliseconds{50};

}  // namespace

/// Set-up: allocates.
PlannedDelays::PlannedDelays(std::vector<PlannedDelay> delays, SpentBy spent_by, Clock& clock,
                             const std::atomic<bool>& stop)
    : delays_(std::move(delays)), spent_by_(spent_by), clock_(clock), stop_(stop) {
  std::stable_sort(delays_.begin(), delays_.end(),
                   [](const PlannedDelay& a, const PlannedDelay& b) { return a.at < b.at; });
}

void PlannedDelays::pass(Nanoseconds now, Nanoseconds started) noexcept {
  if (started.count() == 0) return;
  while (next_ < delays_.size() && now >= started + delays_[next_].at) {
    const PlannedDelay& delay = delays_[next_++];
    delay.count->note(now);
    spend(now + delay.length);
    now = clock_.now();
  }
}

void PlannedDelays::spend(Nanoseconds until) noexcept {
  for (Nanoseconds now = clock_.now(); now < until && !stop_.load(std::memory_order_relaxed);
       now = clock_.now()) {
    if (spent_by_ == SpentBy::sleeping) clock_.sleep_until(std::min(until, now + kSleepSlice));
  }
}

}  // namespace xrunlab
