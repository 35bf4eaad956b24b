// Ten seconds of a run in a few numbers, so that maxima of runs of different length can be compared. Filled
// by the recorder, carried to the collector as a record.
#pragma once

#include <cstdint>
#include <type_traits>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// Fragments are counted where their write ended. A window in which none ended is not reported; one that
/// could not be handed over in time is longer: it goes on into the next.
struct WindowFigures {
  static constexpr Frames kNoLowWater = INT64_MAX;

  std::int64_t start_ns = 0;  ///< since the card's first start
  std::int64_t length_ns = 0;
  std::int64_t fragments = 0;
  std::int64_t ring_read_max_ns = 0;
  std::int64_t pcm_write_max_ns = 0;
  std::int64_t outside_max_ns = 0;
  std::int64_t lateness_max_ns = 0;
  std::int64_t cycle_max_ns = 0;  ///< where a sound server calls, in place of the three before it
  std::int64_t starved_reads = 0;
  std::int64_t xruns = 0;
  Frames ring_low_water = kNoLowWater;   ///< fill − F; kNoLowWater: no unfinished track
  Frames slack_low_water = kNoLowWater;  ///< kNoLowWater: no paced card
  friend bool operator==(const WindowFigures&, const WindowFigures&) = default;
};
static_assert(std::is_trivially_copyable_v<WindowFigures>);

}  // namespace xrunlab
