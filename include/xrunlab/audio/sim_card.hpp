// The position of a simulated card as a pure function of time: start, stalls and clock drift in exact integer
// arithmetic, no ALSA and no clock of its own. Used by the simulated card's ALSA plug-in, on the playback
// thread.
#pragma once

#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// From `at` after the card's first start the card stands still for `length`: it neither drains nor accepts.
struct SimStall {
  Nanoseconds at;
  Nanoseconds length;
  friend bool operator==(const SimStall&, const SimStall&) = default;
};

/// What the card runs at. `ppm` is how much faster than nominal (negative: slower) its clock goes.
struct SimClockwork {
  SampleRate rate;
  int ppm = 0;
};

class SimCard {
 public:
  /// Stalls may come in any order and overlap. rate.hz 1 … 10^7, ppm −500,000 … 500,000.
  SimCard(SimClockwork clockwork, std::vector<SimStall> stalls);

  /// Starts at frame 0; the first start is the origin of the stalls. Real-time: wait-free.
  void start(Nanoseconds now) noexcept;
  void stop() noexcept { running_ = false; }
  bool running() const noexcept { return running_; }

  /// Frames played since the last start, rounded down; 0 when stopped. Real-time: wait-free.
  Frames position(Nanoseconds now) const noexcept;

  /// The first instant at which position() is at least `frames`, to the nanosecond: the length is rounded up.
  /// Must be running. Real-time: wait-free.
  Nanoseconds reached(Frames frames) const noexcept;

  /// `instant`, or the end of the stall that it falls into. Real-time: wait-free.
  Nanoseconds past_stall(Nanoseconds instant) const noexcept;

 private:
  SimClockwork clockwork_;
  std::vector<SimStall> stalls_;  // ascending, disjoint
  Nanoseconds first_start_{};
  Nanoseconds start_{};
  bool started_once_ = false;
  bool running_ = false;
};

}  // namespace xrunlab
