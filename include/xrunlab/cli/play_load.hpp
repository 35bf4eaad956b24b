// The loads of --load: started before a run, stopped after it, their figures put into the run. Used by `play`
// and `latency`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/cli/load_progress.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/load/load_set.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

class PlayLoad {
 public:
  /// Parses the specs. Throws Error{usage}; Error{system} where the directory of one is not there.
  PlayLoad(const std::vector<std::string>& specs, const std::string& seed, bool quiet);

  /// Returns when all are at work; false when a signal came. A load of record takes after the track `like`;
  /// null: 48 kHz, 24 bits, mono. Throws Error{system} when one is dead, or with Strictness::refuse does not
  /// reach its rate. `guard`, which may be null only where no load was asked for, and this object must
  /// outlive the run.
  bool start(GuardProcess* guard, const AudioFile* like, Strictness strict, const Signals& signals);

  /// For the run's request: it ends when one of them does. Nothing without loads.
  std::optional<Accompaniment> accompaniment();

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
