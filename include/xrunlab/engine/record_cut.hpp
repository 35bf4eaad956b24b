// Cuts out of a record the moment at which the worst happened, so that it can be played again by itself.
// Reads and writes trace files; called on the main thread.
#pragma once

#include <cstdint>
#include <filesystem>

#include "xrunlab/timing/trace_reader.hpp"

namespace xrunlab {

enum class TrackNames {
  numbers,  ///< "track-001": nothing of the set is told
  kept,
};

struct RecordCut {
  EpisodeEvent worst{};          ///< the one with the longest duration
  std::int64_t worst_at_ns = 0;  ///< when it began, since the card's first start in the piece
  Nanoseconds length{};          ///< of the piece
  std::int64_t events = 0;       ///< written
};

/// The piece begins half a second before all rings were full for the last time before the worst episode, so
/// that it can be primed to the same state, or where they were fullest when they never were; it ends two
/// seconds behind the episode. Of a record in pieces it lies within one of them. What of the ring's reads was
/// under way at its begin is not in it. Throws Error{input_file}: `from` is no record that can be played
/// again, or has no episode; Error{system}: `to` cannot be written.
RecordCut cut_worst_episode(const std::filesystem::path& from, const std::filesystem::path& to,
                            TrackNames names);

}  // namespace xrunlab
