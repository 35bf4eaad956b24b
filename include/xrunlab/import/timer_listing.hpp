// The listings of three timers that ecasound's patch of November 2000 printed, and `play --classic` prints:
// seven lines a timer. Used by read_listing; pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/import/listing.hpp"

namespace xrunlab {

/// One timer; what its block lacks is absent. Durations are ns.
struct TimerBlock {
  std::optional<std::int64_t> count;
  std::optional<std::int64_t> over;
  std::optional<std::int64_t> under;
  std::optional<std::int64_t> bound_ns;  ///< as printed, cut to microseconds
  std::optional<std::int64_t> min_ns;
  std::optional<std::int64_t> max_ns;
  std::optional<std::int64_t> average_ns;
};

/// Timer-1, Timer-2 and Timer-3, as far as they are there.
using TimerListing = std::array<std::optional<TimerBlock>, 3>;

/// The listings in these lines: a timer that is there already begins the next. Other lines are passed over.
/// Throws Error{input_file} for figures that contradict each other.
std::vector<TimerListing> parse_timer_listings(const std::vector<ListingLine>& lines,
                                               const std::string& source);

}  // namespace xrunlab
