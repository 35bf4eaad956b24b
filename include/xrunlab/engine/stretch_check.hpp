// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The self-check of the card's clock: over each stretch between (re)starts that lasts more than a second, the
// frames that the card played must be rate x time, within one period or 0.1 %. Observations that something
// came between (a preempted thread reads the clock and the card at different times) are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

class StretchCheck {
 public:
  StretchCheck() noexcept = default;
  StretchCheck(SampleRate rate, Frames period) noexcept : rate_(rate), period_(period) {}

  /// The card had played `played` frames since its (re)start; that was between `before` and `after`.
  void observe(Nanoseconds before, Nanoseconds after, Frames played) noexcept {
    if (after - before > kLargestGap) return;
    if (!first_) first_ = Observation{before, played};
    last_ = {before, played};
  }

  /// Ends a stretch: at an xrun, and at the end.
  void close() noexcept {
    if (first_ && last_.at - first_->at > kShortestStretch) {
      const Nanoseconds length = last_.at - first_->at;
      const double expected = to_seconds(length) * rate_.hz;
      const double off = static_cast<double>(last_.played - first_->played) - expected;
      const double allowed = std::max(static_cast<double>(period_), expected * 0.001);
      ++stretches_;
      if (off > allowed || off < -allowed) ++failed_;
      if (off * off > worst_off_ * worst_off_) worst_off_ = off;
      longest_ = std::max(longest_, length);
    }
    first_.reset();
  }

  std::int64_t stretches() const noexcept { return stretches_; }
  std::int64_t failed() const noexcept { return failed_; }
  double worst_off_frames() const noexcept { return worst_off_; }
  Nanoseconds longest() const noexcept { return longest_; }

 private:
  static constexpr Nanoseconds kLargestGap = std::chrono::microseconds{200};
  static constexpr Nanoseconds kShortestStretch = std::chrono::seconds{1};

  struct Observation {
    Nanoseconds at{};
    Frames played = 0;
  };

  SampleRate rate_{1};
  Frames period_ = 0;
  std::optional<Observation> first_;
  Observation last_;
  std::int64_t stretches_ = 0;
  std::int64_t failed_ = 0;
  double worst_off_ = 0;
  Nanoseconds longest_{};
};

}  // namespace xrunlab
