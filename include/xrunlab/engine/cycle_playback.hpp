// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The playback loop's counterpart where a sound server calls once a period: take a fragment out of the rings,
// mix it, hand it over, and time two sections, the ring read (T1) and the cycle. It never waits: a ring that
// lacks a fragment is answered by silence. Everything it touches is allocated before by playback_setup.
#pragma once

#include <atomic>
#include <cstdint>

#include "xrunlab/audio/server_pcm.hpp"
#include "xrunlab/core/wake_event.hpp"
#include "xrunlab/engine/playback_loop.hpp"

namespace xrunlab {

class CyclePlayback final : public CycleListener {
 public:
  struct Parts {
    FragmentSource& source;
    FragmentMixer& mixer;
    ServerPcm& pcm;
    PlaybackRecorder& recorder;
    PlaybackProgress& progress;
    const Clock& clock;
    const std::atomic<bool>& stop;
    PlannedDelays* delays = nullptr;  ///< of --fault playback-delay
  };

  CyclePlayback(const PlaybackConfig& config, const Parts& parts) noexcept;

  /// Thread: playback, which is the server's. Real-time: wait-free, but for a write to an eventfd at the end.
  void cycle(const AudioCycle& cycle) noexcept override;

  /// Readable once the play has ended and what was handed over has left the server's graph.
  int ended_fd() const noexcept { return ended_.fd(); }
  bool ended() const noexcept { return all_out_.load(std::memory_order_acquire); }

  /// Cycles so far. Thread: any.
  std::int64_t cycles() const noexcept { return cycles_.load(std::memory_order_relaxed); }

  /// What the play came to. One that was given up, because the server calls no more, ends as `otherwise`
  /// says. Thread: main, once the server calls no more.
  PlaybackResult result(PlaybackEnd otherwise, int card_error) noexcept;

 private:
  bool play(const AudioCycle& cycle) noexcept;
  bool end_with(PlaybackEnd end, int card_error = 0) noexcept;
  bool end_without(const TakenFragment& taken, PlaybackEnd end) noexcept;
  bool follow_server(const AudioCycle& cycle) noexcept;
  void take_xruns(const AudioCycle& cycle) noexcept;
  void follow_clock(const AudioCycle& cycle) noexcept;
  void begin(Nanoseconds at) noexcept;
  void trail() noexcept;

  PlaybackConfig config_;
  Parts parts_;
  PlaybackResult result_;
  WakeEvent ended_;
  std::atomic<bool> all_out_{false};
  std::atomic<std::int64_t> cycles_{0};
  bool over_ = false;
  int trailing_ = 0;
  std::int64_t index_ = 0;
  std::int64_t xruns_ = 0;
  Frames taken_ = 0;
  Frames called_ = 0;           ///< frames that the server has called for
  Nanoseconds last_entered_{};  ///< of the cycle before
};

}  // namespace xrunlab
