// The line on stderr that says how far a set of tracks is written. Used by `gen` and by `play --tracks`.
#pragma once

#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/report/redrawn_line.hpp"

namespace xrunlab {

class SetProgress {
 public:
  /// Redrawn in place, or a plain line a second.
  explicit SetProgress(LiveMode mode) noexcept;

  void show(const WriteProgress& done);
  /// Takes a redrawn line away, before something else is printed.
  void clear() { line_.clear(); }

 private:
  SystemClock clock_;
  LiveMode mode_;
  RedrawnLine line_;
  Nanoseconds last_{};
};

}  // namespace xrunlab
