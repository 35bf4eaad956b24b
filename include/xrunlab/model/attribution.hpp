// Names the cause of an episode: a pure function of what the episode was and of the evidence around it. Used
// on the collector's thread, and by tests in virtual time. The rule is in docs/causes.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "xrunlab/model/episode.hpp"
#include "xrunlab/model/evidence.hpp"

namespace xrunlab {

/// Numbered as in trace files.
enum class EpisodeKind : std::uint8_t { starvation, xrun, ring_read, pcm_write, outside, end };

/// In the order in which ties are decided; numbered as in trace files.
enum class Cause : std::uint8_t {
  input,
  suspend,
  page_fault,
  scheduler,
  reader,
  decoder,
  disk,
  card,
  unknown,
};

/// "starvation", "xrun", "ring_read", "pcm_write", "outside", "end"
std::string_view to_string(EpisodeKind kind) noexcept;
/// "input", "suspend", "page-fault", "scheduler", "reader", "decoder", "disk", "card", "unknown"
std::string_view to_string(Cause cause) noexcept;

/// What an episode was, as the playback thread saw it.
struct EpisodeFacts {
  EpisodeKind kind = EpisodeKind::starvation;
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int64_t lost_ns = 0;            ///< of the window, what was too much
  std::vector<Span> window;            ///< W: from the last on-time event to the end
  std::optional<std::uint32_t> track;  ///< the starved one
  std::vector<Span> own_reads;         ///< without a ring: the playback thread's own reads
  std::vector<Span> card_held;    ///< the card took nothing beyond the time by which it should have had room
  std::int64_t wake_late_ns = 0;  ///< from when the card had room until the fragment was in it
};

struct Attribution {
  Cause cause = Cause::unknown;
  double confidence = 0;  ///< 0 … 1
  EpisodeEvidence evidence;
};

/// Claims that come as near as this to the largest, as a share of it, are a tie.
inline constexpr double kTieShare = 0.05;

Attribution attribute(const EpisodeFacts& facts, const EvidenceTimeline& timeline);

}  // namespace xrunlab
