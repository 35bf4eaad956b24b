// Says on a terminal how far a load has prepared. Used by `load` and by `play --load`.
#pragma once

#include "xrunlab/load/load_set.hpp"
#include "xrunlab/report/redrawn_line.hpp"

namespace xrunlab {

class LoadProgress {
 public:
  explicit LoadProgress(bool quiet) : line_(quiet) {}

  /// With this object as the one that is told; it must outlive them.
  LoadSettings settings(std::int64_t seed);
  void clear() { line_.clear(); }

 private:
  RedrawnLine line_;
};

}  // namespace xrunlab
