// Joins what happened close together into what a person would call one event: starved reads into episodes,
// xruns and silences into dropouts (docs/measurement.md). Pure functions, called by the engine at the end of
// a run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Less than this much good playing between two events does not part them.
inline constexpr std::int64_t kJoinNs = 1'000'000'000;

/// One read that found less than a fragment in the ring of `track`: a wait, or one silent fragment of
/// `duration_ns`.
struct StarvedRead {
  std::int64_t at_ns = 0;
  std::int64_t duration_ns = 0;
  std::int64_t track = 0;
};

/// The episodes in order of time; `reads` need not be sorted. An episode's duration is the sum of its waits,
/// its span reaches from the first wait's start to the last one's end, its track is the one waited for
/// longest (the lowest index of equals).
std::vector<StarvationData> join_episodes(std::vector<StarvedRead> reads);

/// Sets starvation_episodes, starved_reads, starved_ns and starvation_longest_ns of `counters`.
void count_starvation(std::span<const StarvationData> episodes, CountersData& counters);

/// Dropouts: xruns and silences, those less than a second apart counted as one. An xrun lasts its dry_ns,
/// when that is known; `silences` are the silent fragments (empty with --on-starve wait).
std::int64_t count_dropouts(std::span<const XrunData> xruns, std::span<const StarvedRead> silences);

}  // namespace xrunlab
