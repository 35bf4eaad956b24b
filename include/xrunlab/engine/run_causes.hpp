// What a run needs to tell whose fault an episode was: the watch, and where its evidence comes from. Made in
// set-up, told of the threads by main, used on the collector's thread.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "xrunlab/engine/cause_watch.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/sched_trace.hpp"
#include "xrunlab/platform/system_sampler.hpp"

namespace xrunlab {

struct PlaybackParts;
struct StreamEnd;

class RunCauses {
 public:
  /// Throws Error{system} with --blame --strict when the scheduler cannot be traced; without --strict that is
  /// a fallback of the parts. `parts` must outlive it.
  RunCauses(const StreamRequest& request, PlaybackParts& parts);

  /// Thread: main, right after the thread was started.
  void watch_thread(SampledThread which, pid_t id);

  /// Ends the scheduler's trace. Thread: main, once the collector has ended; also when a thread hangs.
  void close() noexcept;

  CauseWatch& watch() noexcept { return *watch_; }
  const CauseWatch& watch() const noexcept { return *watch_; }

 private:
  SystemSample sample(const PlaybackParts& parts);
  std::vector<RunnableSpan> runnable();

  SystemSampler sampler_;
  std::shared_ptr<const ReplayScript> replayed_;  ///< whose machine is sampled instead, in a replay
  std::mutex mutex_;                              ///< of what follows
  std::unique_ptr<SchedTrace> sched_trace_;
  std::string lost_;  ///< why the trace ended, until the watch was told
  std::unique_ptr<CauseWatch> watch_;
};

/// Fills run.episodes. An input or a card that ended the run is the last of them.
void record_causes(const PlaybackParts& parts, const StreamEnd& end, RunData& run);

}  // namespace xrunlab
