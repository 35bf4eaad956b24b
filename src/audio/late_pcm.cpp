// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/audio/late_pcm.hpp"

#include <utility>

namespace xrunlab {

/// Set-up: allocates.
LatePcm::LatePcm(std::unique_ptr<Pcm> card, std::vector<LateWake> wakes, Clock& clock)
    : card_(std::move(card)), wakes_(std::move(wakes)), clock_(clock) {
  grant_ = card_->grant();
}

Frames LatePcm::write(const std::byte* data, Frames frames) noexcept {
  const Frames count = card_->write(data, frames);
  if (count > 0) accepted_ += count;
  return count;
}

// An xrun that happens meanwhile is met by what is called next.
int LatePcm::wait(Nanoseconds timeout) noexcept {
  const int ready = card_->wait(timeout);
  if (ready <= 0) return ready;
  const std::int64_t fragment = accepted_ / grant_.fragment;
  while (next_ < wakes_.size() && wakes_[next_].fragment < fragment) ++next_;
  if (next_ < wakes_.size() && wakes_[next_].fragment == fragment)
    clock_.sleep_until(clock_.now() + wakes_[next_++].lateness);
  return ready;
}

}  // namespace xrunlab
