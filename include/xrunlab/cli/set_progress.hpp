// The line on stderr that says how far a set of tracks is written. Used by `gen` and by `play --tracks`.
#pragma once

#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/report/live_line.hpp"

namespace xrunlab {

class SetProgress {
 public:
  /// Redrawn in place, or a plain line a second.
  explicit SetProgress(LiveMode mode) noexcept : mode_(mode) {}
  ~SetProgress() { clear(); }
  SetProgress(const SetProgress&) = delete;
  SetProgress& operator=(const SetProgress&) = delete;

  void show(const WriteProgress& done);
  /// Takes a redrawn line away, before something else is printed.
  void clear();

 private:
  SystemClock clock_;
  LiveMode mode_;
  bool drawn_ = false;
  Nanoseconds last_{};
};

}  // namespace xrunlab
