// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// Slack and lateness, measured on the card's own clock: by the frames that are in the card, not by the time
// of day, because cards drift. Pure arithmetic, defined in docs/measurement.md; used by the recorder.
#pragma once

#include <algorithm>
#include <cstdint>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// The card as granted. buffer >= fragment > 0.
struct CardGeometry {
  SampleRate rate;
  Frames fragment = 0;
  Frames buffer = 0;
};

/// (B − F)/r: how late a write may come before the card runs dry.
constexpr Nanoseconds lateness_bound(const CardGeometry& card) noexcept {
  return frames_to_duration(std::max<Frames>(0, card.buffer - card.fragment), card.rate);
}

/// What was left in the card beyond the fragment just written, when `queued` frames are in it right after
/// the write: queued − F, from 0 to B − F.
constexpr Frames slack_frames(const CardGeometry& card, Frames queued) noexcept {
  return std::clamp<Frames>(queued - card.fragment, 0, std::max<Frames>(0, card.buffer - card.fragment));
}

/// max(0, (B − queued)/r): how far the card had drained when the write was done.
constexpr Nanoseconds lateness(const CardGeometry& card, Frames queued) noexcept {
  return frames_to_duration(std::max<Frames>(0, card.buffer - queued), card.rate);
}

/// The lateness samples of one xrun during which the card was dry for `gap`: sample 0 is (B − F)/r + gap;
/// sample j, up to floor(gap·r/F), stands for another fragment that was due meanwhile and is F/r less each.
class GapLateness {
 public:
  /// A longer gap keeps its largest samples only: the playback thread must not spend milliseconds here.
  static constexpr std::int64_t kMostSamples = 65'536;

  constexpr GapLateness(const CardGeometry& card, Nanoseconds gap) noexcept
      : card_(card), largest_(lateness_bound(card) + gap), count_(1 + due_in(card, gap)) {}

  constexpr std::int64_t count() const noexcept { return std::min(count_, kMostSamples); }

  /// `index` from 0 to count() − 1.
  constexpr Nanoseconds sample(std::int64_t index) const noexcept {
    return largest_ - frames_to_duration(index * card_.fragment, card_.rate);
  }

 private:
  static constexpr std::int64_t due_in(const CardGeometry& card, Nanoseconds gap) noexcept {
    const auto frames_times_second =
        static_cast<Int128>(std::max<std::int64_t>(0, gap.count())) * card.rate.hz;
    return static_cast<std::int64_t>(frames_times_second /
                                     (static_cast<Int128>(card.fragment) * kNsPerSecond));
  }

  CardGeometry card_;
  Nanoseconds largest_;
  std::int64_t count_;
};

}  // namespace xrunlab
