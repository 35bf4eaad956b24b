// The live line that `play` shows on stderr while it plays.
#pragma once

#include <string>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/report/live_line.hpp"

namespace xrunlab {

/// The live line. Its listeners run on the collector's thread.
class PlayLive {
 public:
  explicit PlayLive(const PlayOptions& options);
  StreamListeners listeners();
  void clear();

 private:
  void show(const PlaybackParts& parts);

  bool quiet_;
  LiveMode mode_ = LiveMode::off;
  LiveLine line_;
  Nanoseconds last_at_{};
  Bytes last_bytes_ = 0;
  double rate_ = 0;
};

}  // namespace xrunlab
