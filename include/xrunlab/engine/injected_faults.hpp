// The faults of one run, each handed to the part that it befalls, and the account of what was injected. Made
// by set-up when --fault is given; without it there is none, and the parts hold null pointers.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/fault_engine.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/model/fault.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/timing/planned_delays.hpp"

namespace xrunlab {

class InjectedFaults {
 public:
  /// `clock` and `stop` must outlive it, and it all that it hands out.
  InjectedFaults(FaultPlan plan, Clock& clock, const std::atomic<bool>& stop);

  /// Each null when nothing is planned for that thread.
  PlannedDelays* playback() const noexcept { return playback_.get(); }
  PlannedDelays* reader() const noexcept { return reader_.get(); }
  PlannedDelays* decoder() const noexcept { return decoder_.get(); }

  std::vector<ReadFault> of_reads();

  /// Every fault as asked for and as injected, times since `started`. Thread: main, at the end of the run.
  std::vector<FaultData> account(Nanoseconds started) const;

  /// Whether a read was made to fail.
  bool failed_a_read() const noexcept;

 private:
  std::unique_ptr<PlannedDelays> plan_delays(FaultKind kind, SpentBy spent_by, Clock& clock,
                                             const std::atomic<bool>& stop);

  FaultPlan plan_;
  std::deque<FaultCount> counts_;  ///< by fault; a deque, because others hold their addresses
  std::unique_ptr<PlannedDelays> playback_;
  std::unique_ptr<PlannedDelays> reader_;
  std::unique_ptr<PlannedDelays> decoder_;
};

/// The stalls that a card's name asks for (sim:stall=3s+70ms), as injected within `exposure` from its start.
std::vector<FaultData> stalls_of(const PcmGrant& card, Nanoseconds exposure);

/// Where an episode is put down to nothing, but a fault was first injected in its window, its detail says so:
/// it is no riddle. What is put down to something keeps its evidence as it is.
void name_injected(std::vector<EpisodeData>& episodes, const std::vector<FaultData>& faults);

/// Throws Error{usage} for a fault that nothing in this run could meet: a track that is not there, a reader
/// without a ring, a decoder without coded files.
void check_faults(const StreamRequest& request);

}  // namespace xrunlab
