// A latency run from set-up to its end: rounds of measuring threads, and what they yield as a run file's
// content. Called on the main thread.
#pragma once

#include <functional>
#include <string>

#include "xrunlab/engine/latency_request.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

/// How far a run is, for a line that people watch.
struct LatencyProgress {
  std::int64_t round = 0;  ///< from 1
  std::int64_t rounds = 0;
  std::int64_t counted = 0;  ///< wake-ups of this round, over its threads
  std::int64_t planned = 0;
  std::int64_t missed = 0;
  std::int64_t max_ns = 0;
  bool pausing = false;
};

struct LatencyListeners {
  std::function<void(const std::string&)> warn;          ///< each warning, once, as it comes
  std::function<void(const LatencyProgress&)> progress;  ///< some times a second; costs main wake-ups
};

struct LatencyOutcome {
  RunData run;                   ///< judged
  bool samples_are_cut = false;  ///< the file of --record is not whole
  bool thread_hangs = false;     ///< leave the program without destroying what that thread uses
};

/// Throws Error for what makes the run impossible before it starts. What happens later (a card fails, a
/// signal, the limit is broken) ends the run and stands in its record.
LatencyOutcome run_latency(const LatencyRequest& request, const Signals& signals,
                           const LatencyListeners& listeners);

}  // namespace xrunlab
