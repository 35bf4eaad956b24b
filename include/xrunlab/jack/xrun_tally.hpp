// Which xruns there were, from two sources that know nothing of each other: the lines that the server of ours
// prints, which tell the kinds apart but are lost when there are many at once, and the xrun callbacks of the
// meter, which all come but do not tell whose xrun it was. Used by JackRun on main, and by the process of the
// load jack:….
#pragma once

#include <cstdint>

#include "xrunlab/jack/cycle_ledger.hpp"
#include "xrunlab/jack/jack_graph.hpp"

namespace xrunlab {

class XrunTally {
 public:
  explicit XrunTally(JackGraph& graph) noexcept : graph_(graph) {}

  /// Both kinds so far, never fewer than before, and the DSP load now. A late driver is known by its line or
  /// by the delay that it sets (two that come before the first is seen set one); what else the meter was told
  /// of is a client that was not finished. Call it some ten times a second.
  GraphCounts counts();

  /// The same, once there has been a pause of xruns: the lines and callbacks of one do not come at the same
  /// moment. After a second without a pause, or when interrupted, without one.
  GraphCounts in_a_pause(const JackGraph::InterruptedWithin& interrupted_within);

  /// Of both kinds, as the meter was told.
  std::int64_t callbacks() const noexcept;

  /// Of both kinds, as the server has printed; 0 where it is not ours.
  std::int64_t lines();

 private:
  JackGraph& graph_;
  std::int64_t told_before_ = 0;  // when counts() was called last: their lines have come since
  GraphCounts most_;
};

}  // namespace xrunlab
