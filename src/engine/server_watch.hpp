// The play of a run that a sound server drives, as main sees it: started, looked at, ended. Private to
// stream_run; used by main.
#pragma once

#include <cerrno>

#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/stream_run.hpp"
#include "xrunlab/platform/thread_usage.hpp"

namespace xrunlab {

// A server that does not call for so long is no longer there; or when it is only to call once more.
inline constexpr Nanoseconds kServerPatience = std::chrono::seconds{10};
inline constexpr Nanoseconds kStopPatience = std::chrono::seconds{1};

class ServerWatch {
 public:
  /// From here on the server's thread plays. Throws Error{audio_device}.
  explicit ServerWatch(PlaybackParts& parts) : parts_(parts), last_call_(parts.clock.now()) {
    parts_.server_pcm->start_cycles(*parts_.cycles);
  }

  /// False once the play has ended, the server has, or it has not called for so long.
  bool goes_on(Nanoseconds patience) {
    const Nanoseconds now = parts_.clock.now();
    const std::int64_t calls = parts_.cycles->cycles();
    if (calls != calls_) last_call_ = now;
    calls_ = calls;
    return !parts_.cycles->ended() && !parts_.server_pcm->gone() && now < last_call_ + patience;
  }

  /// Once the server's thread is known: what it runs as, and that it is looked at.
  void follow_thread(StreamEnd& end) {
    if (thread_ != 0) return;
    thread_ = parts_.server_pcm->cycle_thread();
    if (thread_ == 0) return;
    before_ = thread_usage_of(thread_);
    end.playback_sched = current_scheduling(thread_);
    if (parts_.causes) parts_.causes->watch_thread(SampledThread::playback, thread_);
  }

  /// Ends the server's calls. `otherwise`: what the play ended with if it had not come to its own end. False
  /// when a call is still under way: nothing that it uses may be destroyed.
  bool finish(StreamEnd& end, PlaybackEnd otherwise) {
    const auto after = before_ ? thread_usage_of(thread_) : std::nullopt;
    if (after) end.threads.push_back(thread_data("playback", end.playback_sched.policy, *before_, *after));
    const bool gone = parts_.server_pcm->gone();
    if (!parts_.server_pcm->stop_cycles()) return false;
    end.playback = parts_.cycles->result(otherwise, gone ? -ENODEV : -ETIMEDOUT);
    return true;
  }

 private:
  PlaybackParts& parts_;
  Nanoseconds last_call_;
  std::int64_t calls_ = 0;
  pid_t thread_ = 0;
  std::optional<ThreadUsage> before_;
};

}  // namespace xrunlab
