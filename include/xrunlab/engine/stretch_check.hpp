// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The self-check of the card's clock: over each stretch between (re)starts that lasts more than a second, the
// frames that the card played must be rate x time, within one period or 0.1 %. Observations that something
// came between (a preempted thread reads the clock and the card at different times) are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
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
      const Frames played = last_.played - first_->played;
      const double expected = to_seconds(length) * rate_.hz;
      const double off = std::abs(static_cast<double>(played) - expected);
      const double excess = off / std::max(static_cast<double>(period_), expected * 0.001);
      if (!worst_ || excess > worst_excess_) {
        worst_ = Stretch{played, length};
        worst_excess_ = excess;
      }
    }
    first_.reset();
  }

  /// The stretch of over a second that was farthest off; nothing when there was none.
  struct Stretch {
    Frames played = 0;
    Nanoseconds length{};
  };
  const std::optional<Stretch>& worst() const noexcept { return worst_; }

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
  std::optional<Stretch> worst_;
  double worst_excess_ = 0;
};

}  // namespace xrunlab
