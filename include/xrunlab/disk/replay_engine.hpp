// A disk that is not there: each read completes when a record says so, and brings nothing but its size.
// Behind the reader's seam, in place of io_uring, when a run is played again; used by the reader thread.
#pragma once

#include <memory>
#include <vector>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/io_engine.hpp"
#include "xrunlab/disk/playback_progress.hpp"
#include "xrunlab/disk/recorded_reads.hpp"

namespace xrunlab {

/// What wait() does while nothing is due.
enum class ReplayWait {
  sleeps,   ///< as any engine, and as late as the record says
  returns,  ///< in virtual time: whoever moves the clock looks at next_due()
};

struct ReplayDisk {
  std::shared_ptr<const RecordedReads> reads;
  std::vector<Bytes> file_bytes;  ///< by track
  int depth = 32;
  Nanoseconds punctual{};  ///< as ReplayedReads has it
  ReplayWait wait = ReplayWait::sleeps;
  int wake_fd = -1;  ///< ends a sleep when it becomes readable
  bool reads_in_submit = false;
};

/// `progress` and `clock` must outlive the engine.
std::unique_ptr<IoEngine> make_replay_engine(ReplayDisk disk, const PlaybackProgress& progress, Clock& clock);

}  // namespace xrunlab
