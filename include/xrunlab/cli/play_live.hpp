// What `play` shows while it works, on stderr: progress of a temporary set, then the live line of the run.
#pragma once

#include <string>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/report/live_line.hpp"

namespace xrunlab {

/// A line that says how far a set is written; on a terminal only.
class SetProgress {
 public:
  explicit SetProgress(bool quiet);
  ~SetProgress();
  SetProgress(const SetProgress&) = delete;
  SetProgress& operator=(const SetProgress&) = delete;
  void show(const WriteProgress& done);

 private:
  bool shown_;
  bool drawn_ = false;
};

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
