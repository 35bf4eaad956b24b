// Joins starved reads into episodes, and xruns and silences into dropouts, as docs/measurement.md defines
// them. Pure; used by the collector while a run goes on, and by whoever reads a trace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// Good sound for this long ends an episode or a dropout.
inline constexpr Nanoseconds kEpisodeGap = std::chrono::seconds{1};

struct StarvationEpisode {
  Nanoseconds at{};         ///< begin of the first starved read
  Nanoseconds duration{};   ///< sum of the waits, or of the silences
  Nanoseconds span{};       ///< begin of the first to end of the last
  std::int64_t reads = 0;   ///< starved reads joined
  std::uint32_t track = 0;  ///< the one of the longest wait
};

class StarvationEpisodes {
 public:
  static constexpr std::size_t kMostListed = 10'000;

  /// Adds a starved read; in order of time.
  void add(Nanoseconds at, Nanoseconds duration, std::uint32_t track);

  /// The first kMostListed.
  const std::vector<StarvationEpisode>& all() const noexcept { return listed_; }
  /// How many there were.
  std::int64_t count() const noexcept { return count_; }
  /// The longest duration.
  Nanoseconds longest() const noexcept { return longest_; }

 private:
  std::vector<StarvationEpisode> listed_;
  StarvationEpisode last_;
  std::int64_t count_ = 0;
  Nanoseconds longest_{};
  Nanoseconds longest_wait_{};  // in the last episode
};

/// Counts dropouts: those less than a second apart are one.
class Dropouts {
 public:
  /// Adds an xrun or a silence; in order of its begin.
  void add(Nanoseconds at, Nanoseconds duration) noexcept;

  std::int64_t count() const noexcept { return count_; }

 private:
  std::int64_t count_ = 0;
  std::optional<Nanoseconds> end_;
};

}  // namespace xrunlab
