// What of a long recording is worth keeping: a window around each episode, and the end. Between the collector
// and its trace file, on the collector's thread; holds no more than its window, however long the run.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/timing/event.hpp"

namespace xrunlab {

class TraceWindow {
 public:
  using Write = std::function<void(const Event&)>;

  /// `length`: kept before an episode, and at the end. `most`: events held at once; of more, the oldest go.
  /// Takes and touches all its memory now.
  TraceWindow(Nanoseconds length, std::size_t most);

  /// Takes an event; hands on to `write`, oldest first, what is now known to be kept.
  void add(const Event& event, const Write& write);

  /// Hands on the last window, when nothing more comes.
  void finish(const Write& write);

 private:
  void hand_on(const Write& write);

  std::int64_t length_ns_;
  std::vector<Event> held_;  ///< a ring
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::int64_t newest_ns_ = 0;
  std::int64_t keep_until_ns_;  ///< all up to there is kept as it comes
};

}  // namespace xrunlab
