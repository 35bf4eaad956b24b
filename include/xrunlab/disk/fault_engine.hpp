// Faults of the disk on demand: a decorator around any I/O engine that holds back, shortens or fails the
// reads that --fault picks. Made and used by the reader thread; without --fault there is none.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/io_engine.hpp"
#include "xrunlab/disk/playback_progress.hpp"
#include "xrunlab/model/fault.hpp"
#include "xrunlab/timing/fault_count.hpp"

namespace xrunlab {

struct ReadFault {
  FaultSpec spec;  ///< of a kind that befalls reads
  FaultCount* count = nullptr;
};

struct FaultEngineConfig {
  std::vector<ReadFault> faults;
  std::int64_t seed = 1;
  Bytes alignment = kPageBytes;  ///< of the reads, the largest over the files
};

/// A fault with a probability picks reads by seed, track and the number of the read within its track
/// (continued ones count), so that the same run meets the same faults whatever its timing; one with `at`
/// picks the first read that is submitted then.
///
/// A delayed read is handed out when `delay` has passed since its submission, or when it is complete, if that
/// is later; other reads go on. wait() may return early with nothing when it was a held read that completed.
/// A shortened read brings a byte less than half of what it brought, and stays whole when that would be no
/// progress (below three times the alignment). A failed one brings -EIO.
///
/// What the counts point to, `progress` and `clock` must outlive the engine.
std::unique_ptr<IoEngine> make_fault_engine(std::unique_ptr<IoEngine> engine, FaultEngineConfig config,
                                            const PlaybackProgress& progress, const Clock& clock);

}  // namespace xrunlab
