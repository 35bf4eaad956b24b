// Turns the playback thread's marks into episodes: what happened, when, how long, and the window in which its
// cause must lie. Pure; used on the collector's thread, and by tests in virtual time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "xrunlab/model/attribution.hpp"
#include "xrunlab/timing/card_clock.hpp"
#include "xrunlab/timing/event.hpp"

namespace xrunlab {

/// Marks that lie near each other, in the order of time within each list. Times are CLOCK_MONOTONIC.
struct EpisodeMarks {
  struct Wait {
    std::int64_t at_ns = 0;
    std::int64_t duration_ns = 0;
    std::uint32_t track = 0;
  };
  struct Dry {
    std::int64_t at_ns = 0;
    std::int64_t dry_ns = -1;  ///< −1: not known
  };
  struct Late {
    std::int64_t ended_ns = 0;
    FragmentEvent fragment{};
    /// The first fragment has no T3: what it did before its write is T1.
    std::int64_t begin_ns() const noexcept {
      return ended_ns - fragment.t2_ns - (fragment.t3_ns < 0 ? fragment.t1_ns : fragment.t3_ns);
    }
  };

  std::vector<Wait> waits;  ///< starved reads
  std::vector<Dry> xruns;
  std::vector<Late> late;  ///< fragments longer than they last, and those in which an xrun was met

  std::size_t count() const noexcept { return waits.size() + xruns.size() + late.size(); }
};

struct FoundEpisode {
  EpisodeFacts facts;
  std::optional<std::size_t> within;  ///< index in the same list of the starvation that an xrun lies in
};

/// Whether there is read-ahead; without it T1 is the playback thread's own reading of the disk.
enum class ReadAhead : std::uint8_t { ring, none };

/// The episodes of these marks, by start. A section that lies in a starvation or an xrun is part of that.
/// Late fragments behind one another are one episode. `card.fragment` is the bound, whatever --bound counts.
std::vector<FoundEpisode> find_episodes(const EpisodeMarks& marks, const CardGeometry& card,
                                        ReadAhead read_ahead);

}  // namespace xrunlab
