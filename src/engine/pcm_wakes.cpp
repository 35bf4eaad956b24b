// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/pcm_wakes.hpp"

#include <algorithm>
#include <cerrno>

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kCardStopLook = 50ms;
constexpr Nanoseconds kCardPatience = 10s;
// Some plug-ins' descriptors are always ready; at SCHED_FIFO, polling those would take the whole core.
constexpr int kMostEarlyWakes = 3;
constexpr Nanoseconds kEarlyWakePause = 1ms;

}  // namespace

/// Set-up.
PcmWakes::PcmWakes(Pcm& pcm, Clock& clock, const std::atomic<bool>& stop)
    : pcm_(pcm), clock_(clock), stop_(stop) {
  const auto& grant = pcm.grant();
  interval_ = frames_to_duration(grant.fragment, grant.rate);
  const Frames most = std::max(grant.buffer, grant.fragment);
  silence_.resize(static_cast<std::size_t>(most * bytes_per_sample(grant.format) * grant.channels));
}

WakeUp PcmWakes::failed(int error) const noexcept {
  return {.status = WakeStatus::failed, .error = error, .at = clock_.now()};
}

/// Writes so much silence; it fits, or the card is not what it says. 0 or a negative errno.
int PcmWakes::fill(Frames frames) noexcept {
  while (frames > 0) {
    const Frames written = pcm_.write(silence_.data(), frames);
    if (written < 0) return static_cast<int>(written);
    if (written == 0) return -EAGAIN;
    frames -= written;
  }
  return 0;
}

int PcmWakes::start(Nanoseconds) noexcept {
  return fill(pcm_.grant().start_threshold);
}

WakeUp PcmWakes::wait() noexcept {
  const Nanoseconds began = clock_.now();
  for (int early = 0;; ++early) {
    if (stop_.load(std::memory_order_relaxed)) return {.status = WakeStatus::stopped};
    if (early >= kMostEarlyWakes) clock_.sleep_until(clock_.now() + kEarlyWakePause);
    const int ready = pcm_.wait(kCardStopLook);
    const Frames room = ready < 0 ? Frames{ready} : pcm_.avail();
    if (room == -EPIPE) return woken_by_xrun();
    if (room < 0) return failed(static_cast<int>(room));
    const auto& grant = pcm_.grant();
    const Frames late = room - grant.avail_min;
    if (ready > 0 && late >= 0) return woken(late, frames_to_duration(late, grant.rate));
    if (ready == 0) early = 0;
    if (clock_.now() - began > kCardPatience) return failed(-ETIMEDOUT);
  }
}

/// Writes what has been played since, in whole fragments, so that the points of waking stay a fragment apart.
WakeUp PcmWakes::woken(Frames late_frames, Nanoseconds late) noexcept {
  const Frames fragment = pcm_.grant().fragment;
  WakeUp wake{.late = late, .missed = late_frames / fragment, .at = clock_.now()};
  const int error = fill((1 + wake.missed) * fragment);
  // The card may run dry while we write; the next wait meets that.
  if (error == 0 || error == -EPIPE || error == -EAGAIN) return wake;
  return failed(error);
}

/// A card that ran dry had run past the point of waking by the rest of its buffer and by the time since.
WakeUp PcmWakes::woken_by_xrun() noexcept {
  const auto& grant = pcm_.grant();
  WakeUp wake{.late = frames_to_duration(grant.buffer - grant.avail_min, grant.rate), .at = clock_.now()};
  if (const auto stopped = pcm_.stopped_at(); stopped && *stopped < wake.at) wake.late += wake.at - *stopped;
  wake.missed = missed_behind(wake.late, interval_);
  const int error = refill_after_xrun();
  return error == 0 ? wake : failed(error);
}

int PcmWakes::refill_after_xrun() noexcept {
  const int error = pcm_.prepare();
  return error < 0 ? error : fill(pcm_.grant().start_threshold);
}

}  // namespace xrunlab
