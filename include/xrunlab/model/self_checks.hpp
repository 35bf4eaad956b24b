// The self-checks of docs/measurement.md as pure functions over plain numbers: a run that fails one cannot
// prove itself and has no verdict. The engine calls them once, at the end of a run on a paced card.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "xrunlab/core/units.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// One stretch of the card's running, from a (re)start to the next xrun or to the last write.
struct CardStretch {
  Frames frames_played = 0;  ///< accepted − delay at its end
  std::int64_t duration_ns = 0;
};

/// "card_clock": in each stretch of over one second the frames played equal rate × time within one period or
/// 0.1 %, whichever is more. Passes when no stretch is that long, and says so.
SelfCheck check_card_clock(std::span<const CardStretch> stretches, SampleRate rate, Frames period);

/// "outside_covers_ring_read": T1 lies inside T3, so the longest T3 is at least the longest T1.
/// `ring_read_max_ns` is that of the reads after the first write; nothing when there was none.
SelfCheck check_outside_covers_ring_read(std::optional<std::int64_t> ring_read_max_ns,
                                         std::int64_t outside_max_ns);

/// "cycle_covers_ring_read": the same of the longest cycle, in which T1 lies where a sound server calls.
SelfCheck check_cycle_covers_ring_read(const TimersData& timers);

/// "counts_match": the counts of T1, T2 and T3, or of T1 and cycle, differ by at most one.
SelfCheck check_counts_match(const TimersData& timers);

}  // namespace xrunlab
