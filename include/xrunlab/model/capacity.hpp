// What `xrunlab capacity` finds (schema xrunlab/capacity/1, docs/capacity.md): the hardest step that does not
// fail, the comfortable one, what limits it, and every trial. Filled by the command, printed by the report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// What is made harder from step to step: more tracks, a smaller ring, a smaller fragment.
enum class CapacityBy : std::uint8_t { tracks, ring, fragment };

/// "tracks", "ring", "fragment"
std::string_view to_string(CapacityBy by) noexcept;

/// Tracks, or frames of the ring or the fragment, and how its trials went.
struct CapacityStep {
  std::int64_t value = 0;
  std::int64_t passes = 0;  ///< MARGINAL ones too
  std::int64_t trials = 0;
};

struct CapacityTrial {
  std::int64_t value = 0;
  Verdict verdict = Verdict::no_verdict;
  std::string verdict_line;
  std::optional<double> headroom;
  std::optional<std::int64_t> ring_needed_frames;
  std::int64_t dropouts = 0;
  std::string run_file;  ///< empty: not kept
};

/// The limit when `play` could not be run with the step beyond the answer.
inline constexpr std::string_view kSystemLimit = "system";

/// What the next step failed for, or why there was none.
struct CapacityLimit {
  std::string resource;  ///< "disk bandwidth", "disk latency", "reader CPU", "--max-tracks" …
  std::string evidence;  ///< a few words with figures
};

/// What the same tracks read with no deadline.
struct UnpacedReading {
  std::int64_t tracks = 0;
  double bytes_per_s = 0;
  double worth_tracks = 0;  ///< tracks whose rate that is
  std::string run_file;     ///< empty: not kept
};

struct CapacityData {
  ToolInfo tool;
  std::vector<std::string> cmdline;
  std::string start;  ///< UTC, RFC 3339
  CapacityBy by = CapacityBy::tracks;
  bool complete = false;  ///< not interrupted, and decided
  std::string set;        ///< "48k/24/1"
  std::string directory;
  std::int64_t rate_hz = 0;
  std::int64_t tracks = 0;           ///< of the set by ring and by fragment
  std::int64_t ring_frames = 0;      ///< as asked for; 0 by ring
  std::int64_t fragment_frames = 0;  ///< as granted in the last trial; 0 by fragment
  std::int64_t trial_ns = 0;         ///< that each trial plays
  std::optional<CapacityStep> answer;
  std::optional<CapacityStep> comfortable;
  std::optional<CapacityStep> first_failing;
  std::optional<double> pass_rate_low;  ///< of the answer, 95 %, one-sided
  CapacityLimit limit;
  std::optional<UnpacedReading> unpaced;
  std::vector<CapacityTrial> trials;
  std::int64_t took_ns = 0;
  std::int64_t written_bytes = 0;  ///< of the set
  SystemInfo system;               ///< as in the last run file
  std::vector<std::string> warnings;
};

/// One search, as `capacity --json` prints it.
std::string to_json(const CapacityData& capacity);

/// `capacity --table`, as far as it has come: an object with a list of searches, of so many in all.
std::string to_json(const std::vector<CapacityData>& table, std::size_t searches);

/// The line that stands alone: "N = 212: 5 of 5 × 30 s (pass rate ≥ 55 %, 95 %); 218 fails: disk 98 % busy".
std::string capacity_line(const CapacityData& capacity);

}  // namespace xrunlab
