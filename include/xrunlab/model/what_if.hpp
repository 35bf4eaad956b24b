// What a recorded run would have been with other rings and other cards' buffers: plain data. Made by
// experiment/ring_search, printed by the reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// What one trial is asked to have, in frames; the fragment is the period.
struct WhatIfSizes {
  Frames ring = 0;
  Frames period = 0;
  Frames buffer = 0;
  friend bool operator==(const WhatIfSizes&, const WhatIfSizes&) = default;
};

struct WhatIfTrial {
  WhatIfSizes granted;
  Frames block_frames = 0;       ///< of the ring, the largest over the tracks
  std::int64_t starvations = 0;  ///< episodes
  std::int64_t starved_ns = 0;
  std::int64_t longest_ns = 0;
  std::int64_t xruns = 0;
  std::optional<Frames> ring_low_water;
  std::optional<Frames> slack_low_water;
  std::optional<Frames> ring_needed;
  friend bool operator==(const WhatIfTrial&, const WhatIfTrial&) = default;
};

/// The smallest ring that does not starve, with one size of card buffer.
struct SafeRing {
  Frames period = 0;
  Frames buffer = 0;
  std::optional<WhatIfTrial> smallest;  ///< absent: none up to the largest that was tried
  bool least_tried = false;             ///< it is the smallest that was tried: a smaller one might do
  friend bool operator==(const SafeRing&, const SafeRing&) = default;
};

struct WhatIfTable {
  std::string record;  ///< its file's name
  bool led_in = true;  ///< the run was taken to have been under way before, so that no read of play is primed
  std::int64_t rate_hz = 0;
  WhatIfSizes recorded;
  std::vector<WhatIfTrial> trials;  ///< by period, buffer, ring
  std::vector<SafeRing> safe;       ///< by period, buffer
  friend bool operator==(const WhatIfTable&, const WhatIfTable&) = default;
};

/// What a table takes for granted, in one sentence.
std::string assumption_of(const WhatIfTable& table);

/// The table as a JSON document (kind "what-if"), with a newline at its end.
std::string what_if_json(const WhatIfTable& table);

}  // namespace xrunlab
