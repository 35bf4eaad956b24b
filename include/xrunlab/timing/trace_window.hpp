// What of a long recording is worth keeping: a window around each episode, and the end. Between the collector
// and its trace file, on the collector's thread; holds no more than its window, however long the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/timing/event.hpp"

namespace xrunlab {

class TraceWindow {
 public:
  using Write = std::function<void(const Event&)>;

  /// `length`: kept before an episode, and at the end. `fragment`: how long one lasts, by which is seen that
  /// something went wrong, as the recorder sees it. `most`: events held at once; of more, the oldest go.
  /// Takes and touches all its memory now.
  TraceWindow(Nanoseconds length, Nanoseconds fragment, std::size_t most);

  /// Takes an event; hands on to `write`, oldest first, what is now known to be kept.
  void add(const Event& event, const Write& write);

  /// Hands on the last window, when nothing more comes.
  void finish(const Write& write);

  /// How often an event that should have been held longer had to go.
  std::int64_t overflows() const noexcept { return overflows_; }

 private:
  std::optional<std::int64_t> wrong_until(const Event& event) const noexcept;
  bool is_late(const Event& event) const noexcept;
  void hold(const Event& event) noexcept;
  void hand_on(const Write& write);
  void let_go(std::int64_t spare_ns) noexcept;

  std::int64_t length_ns_;
  std::int64_t fragment_ns_;
  std::vector<Event> held_;  ///< a ring
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::int64_t newest_fragment_ns_ = INT64_MIN;
  std::int64_t keep_until_ns_ = INT64_MIN;  ///< all up to there is kept as it comes
  std::int64_t overflows_ = 0;
};

}  // namespace xrunlab
