// The loads of `play --load`: started before the run is primed, stopped after it, their figures put into the
// run.
#pragma once

#include <memory>
#include <optional>

#include "xrunlab/cli/load_progress.hpp"
#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/load/load_set.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

class PlayLoad {
 public:
  /// Parses the specs. Throws Error{usage}.
  explicit PlayLoad(const PlayOptions& options);

  /// Returns when all are at work, and have the run end when one of them does; false when a signal came.
  /// Throws Error{system} when one is dead, or with --strict does not reach its rate. `guard`, which may be
  /// null only where no load was asked for, and this object must outlive the run.
  bool start(GuardProcess* guard, StreamRequest& request, const Signals& signals);

  /// Stops them, writes down what they did, and judges the run anew.
  void finish(RunData& run);

 private:
  std::vector<LoadSpec> specs_;
  std::int64_t seed_;
  bool quiet_;
  LoadProgress progress_;
  std::optional<LoadSet> loads_;
};

}  // namespace xrunlab
