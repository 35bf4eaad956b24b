// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The clock of `latency` that is a card: each fragment that it has played wakes the thread, and how far it
// had run past that point is read from its own position. Plays silence. Used by one measuring thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/engine/wake_source.hpp"

namespace xrunlab {

class PcmWakes final : public WakeSource {
 public:
  /// Set-up; allocates the silence. `pcm` is opened, configured and paced; all must outlive this object.
  PcmWakes(Pcm& pcm, Clock& clock, const std::atomic<bool>& stop);

  /// Fills the card, which starts it; `first` is not for us to choose.
  int start(Nanoseconds first) noexcept override;
  WakeUp wait() noexcept override;
  void stop() noexcept override { pcm_.drop(); }

 private:
  int fill(Frames frames) noexcept;
  int refill_after_xrun() noexcept;
  WakeUp woken(Frames late_frames, Nanoseconds late) noexcept;
  WakeUp woken_by_xrun() noexcept;
  WakeUp failed(int error) const noexcept;

  Pcm& pcm_;
  Clock& clock_;
  const std::atomic<bool>& stop_;
  std::vector<std::byte> silence_;
};

}  // namespace xrunlab
