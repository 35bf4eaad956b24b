// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// A PCM that is driven by a sound server: the server calls, once a period and on a thread of its own, and
// what is not written in that call is silence. Nobody waits for room, so there is no position, no wait and no
// drain. Implemented by the JACK client and by a fake in tests.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>

#include "xrunlab/audio/pcm.hpp"

namespace xrunlab {

/// One call of the server. Instants are CLOCK_MONOTONIC.
struct AudioCycle {
  Frames frames = 0;        ///< of this cycle
  Nanoseconds began{};      ///< when the server's cycle began
  Nanoseconds entered{};    ///< when we were called
  std::int64_t xruns = 0;   ///< of which the server has told since the start
  Nanoseconds xrun_told{};  ///< when it told of the last one
};

class CycleListener {
 public:
  virtual ~CycleListener() = default;

  /// Within it write() is to be called at most once, with at most the frames of the cycle. Thread: the
  /// server's, playback. Real-time.
  virtual void cycle(const AudioCycle& cycle) noexcept = 0;
};

class ServerPcm : public Pcm {
 public:
  /// From here on the server calls `listener`. Throws Error{audio_device}. Thread: main.
  virtual void start_cycles(CycleListener& listener) = 0;

  /// When it returns true no call is under way, and none comes. False: one does not come to its end; what the
  /// listener uses must not be destroyed. Thread: main.
  virtual bool stop_cycles() noexcept = 0;

  /// The server has ended, or thrown us out. Thread: any.
  virtual bool gone() const noexcept = 0;

  /// Of the thread that calls; 0 before its first call. Thread: any.
  virtual pid_t cycle_thread() const noexcept = 0;

  int wait(Nanoseconds) noexcept final { return -ENOSYS; }
  Frames avail() noexcept final { return -ENOSYS; }
  int prepare() noexcept final { return -ENOSYS; }
  int resume() noexcept final { return -ENOSYS; }
  int start() noexcept final { return -ENOSYS; }
  PcmState state() noexcept final { return gone() ? PcmState::disconnected : PcmState::running; }
  std::optional<Nanoseconds> stopped_at() noexcept final { return std::nullopt; }
  int drain(Nanoseconds, const std::atomic<bool>&) noexcept final { return -ENOSYS; }
  int drop() noexcept final { return -ENOSYS; }
};

}  // namespace xrunlab
