// Which xruns there were, from two sources that know nothing of each other: what the server of ours printed,
// and the xrun callbacks of the meter. Used by JackRun on main.
#pragma once

#include <cstdint>

#include "xrunlab/jack/cycle_ledger.hpp"
#include "xrunlab/jack/jack_graph.hpp"

namespace xrunlab {

class XrunTally {
 public:
  explicit XrunTally(JackGraph& graph) noexcept : graph_(graph) {}

  /// Both kinds so far, from the server's lines where it is ours, else from the callbacks; the DSP load now.
  GraphCounts counts();

  /// From the callbacks alone. A late driver is known by the delay that it sets: two that come before the
  /// first is seen pass for one and a client's, which is why a server's own lines are believed first.
  GraphCounts from_callbacks() const noexcept;

  std::int64_t callbacks() const noexcept;

  /// Whether the server has said that it could not print all.
  bool has_lost_lines();

 private:
  JackGraph& graph_;
};

}  // namespace xrunlab
