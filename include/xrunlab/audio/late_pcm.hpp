// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// A card in front of which the playback thread wakes late, as a record says: around any other PCM, when a run
// is played again. The card itself goes on meanwhile.
#pragma once

#include <vector>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/clock.hpp"

namespace xrunlab {

/// The card had room for a fragment, and got it only so much later.
struct LateWake {
  std::int64_t fragment = 0;  ///< index from 0
  Nanoseconds lateness{};
};

class LatePcm final : public Pcm {
 public:
  /// `wakes` by fragment, each at most once. `clock` must outlive this. Allocates; made in set-up.
  LatePcm(std::unique_ptr<Pcm> card, std::vector<LateWake> wakes, Clock& clock);

  Frames write(const std::byte* data, Frames frames) noexcept override;
  int wait(Nanoseconds timeout) noexcept override;
  Frames avail() noexcept override { return card_->avail(); }
  int prepare() noexcept override { return card_->prepare(); }
  int resume() noexcept override { return card_->resume(); }
  int start() noexcept override { return card_->start(); }
  PcmState state() noexcept override { return card_->state(); }
  std::optional<Nanoseconds> stopped_at() noexcept override { return card_->stopped_at(); }
  int drain(Nanoseconds limit, const std::atomic<bool>& stop) noexcept override {
    return card_->drain(limit, stop);
  }
  int drop() noexcept override { return card_->drop(); }
  void close() override { card_->close(); }

 private:
  std::unique_ptr<Pcm> card_;
  std::vector<LateWake> wakes_;
  std::size_t next_ = 0;
  Frames accepted_ = 0;
  Clock& clock_;
};

}  // namespace xrunlab
