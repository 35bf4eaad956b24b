// How the three timers, the ring and the card's buffer went over a run: out of the windows of its run file,
// or, finer, out of its record. Used by the picture of a play run; called by main.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// The worst of one stretch of time; absent: not measured there. Times count from the card's first start.
struct TimelineSpan {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<std::int64_t> ring_read_ns;  ///< longest T1 …
  std::optional<std::int64_t> pcm_write_ns;
  std::optional<std::int64_t> outside_ns;
  std::optional<std::int64_t> cycle_ns;
  std::optional<std::int64_t> ring_left_frames;   ///< least fill beyond one fragment
  std::optional<std::int64_t> slack_left_frames;  ///< least slack
};

struct PlayTimeline {
  std::vector<TimelineSpan> spans;  ///< ascending; what lies between two was not measured
  std::int64_t end_ns = 0;
  std::string resolution;  ///< of what a span is the worst: "10 s (run file)", "53 ms (record)"
  std::string lacks;       ///< what is missing of a record, in words; empty: nothing
};

/// Of windows of ten seconds; in a run of hours several are one span.
PlayTimeline timeline_of_run(const RunData& run);

/// Of every fragment in the record, in spans of at least two fragments, at most 600 of them. Memory does not
/// grow with the record; it is read twice. `shown`: its name in messages. Throws Error{input_file}: no trace,
/// one of another run, or one without fragments.
PlayTimeline timeline_of_record(const std::filesystem::path& record, const std::string& shown,
                                const RunData& run);

}  // namespace xrunlab
