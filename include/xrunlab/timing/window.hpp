// Ten seconds of a run in a few numbers, so that maxima of runs of different length can be compared. Filled
// by the recorder, carried to the collector as a record, which keeps them in a series that does not grow
// beyond a day.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

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

/// Two neighbours as one: sums of the counts, the larger of the maxima, the lower of the low waters, from the
/// begin of `first` to the end of `second`.
WindowFigures joined(const WindowFigures& first, const WindowFigures& second) noexcept;

/// The windows of a run, in a bounded number: when there is no room for another, each two neighbours become
/// one, and those that come are joined to the same length.
class WindowSeries {
 public:
  static constexpr std::size_t kMost = 8640;  ///< a day of ten seconds each

  /// Takes and touches the memory of `expected` windows now, of `most` at the most. `most` is rounded up to
  /// an even number.
  explicit WindowSeries(std::size_t expected, std::size_t most = kMost);

  /// Allocates only beyond what was expected.
  void add(const WindowFigures& window);

  const std::vector<WindowFigures>& all() const noexcept { return windows_; }

  /// All of them, when nothing more comes.
  std::vector<WindowFigures> take() noexcept { return std::move(windows_); }

 private:
  void halve() noexcept;

  std::size_t most_;
  std::vector<WindowFigures> windows_;
  std::size_t joined_in_each_ = 1;
  std::size_t joined_in_last_ = 1;
};

}  // namespace xrunlab
