// Says on a terminal how far a load has prepared. Used by `load` and by `play --load`.
#pragma once

#include <string>

#include "xrunlab/load/load_set.hpp"

namespace xrunlab {

class LoadProgress {
 public:
  explicit LoadProgress(bool quiet);
  ~LoadProgress();
  LoadProgress(const LoadProgress&) = delete;
  LoadProgress& operator=(const LoadProgress&) = delete;

  /// With this object as the one that is told; it must outlive them.
  LoadSettings settings(std::int64_t seed);
  void clear();

 private:
  void show(const std::string& spec, Bytes done);

  bool shown_;
  bool drawn_ = false;
};

}  // namespace xrunlab
