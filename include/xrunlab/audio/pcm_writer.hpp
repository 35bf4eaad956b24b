// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// Writes one fragment to the card completely: waits for room, writes the same frames again after an xrun or a
// suspend, and says what it met. This is T2 of a run; one object per run, used by the playback thread alone.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <span>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/timing/recorder.hpp"

namespace xrunlab {

enum class WriteStatus {
  written,    ///< every frame was accepted
  stopped,    ///< the stop flag was set while waiting
  timed_out,  ///< the card took nothing for 10 s or ten buffers, whichever is longer
  gone,       ///< the card was unplugged
  failed,     ///< any other error
};

/// What one write met. Times are CLOCK_MONOTONIC.
struct WriteResult {
  WriteStatus status = WriteStatus::written;
  int error = 0;        ///< the negative errno behind gone and failed
  Frames frames = 0;    ///< accepted
  Nanoseconds ended{};  ///< right after the last frame was accepted: the end of T2
  int xruns_met = 0;    ///< EPIPE or XRUN state in this write; each appears later (or now) in `xruns`
  std::int64_t suspends = 0;
  std::optional<Wake> wake;  ///< of the polls waited in, the one with the most frames; absent without one

  /// When this write made the card start, for the first time or again after an xrun.
  std::optional<Nanoseconds> started;

  /// Xruns that are over because the card has started again in this write (a card starts only when its
  /// buffer is full again, so the xrun was mostly met some fragments ago). Valid until the next write.
  std::span<const XrunSample> xruns;

  /// Frames in the card after the write; absent until the first fill since each (re)start, and without a
  /// paced card.
  std::optional<Frames> queued;
};

class PcmWriter {
 public:
  /// `stop` is looked at while waiting, at least every 100 ms. All must outlive the writer.
  PcmWriter(Pcm& pcm, Clock& clock, const std::atomic<bool>& stop) noexcept;

  /// Writes `frames` interleaved frames; `begin` is the clock reading at which T2 starts.
  /// Thread: playback. Real-time: sleeps for the card only.
  WriteResult write(const std::byte* data, Frames frames, Nanoseconds begin) noexcept;

  /// For the end of a run: the xrun after which the card has not started again, if any. `restarted`: when
  /// draining started it, else nothing; then its dry time is unknown.
  std::optional<XrunSample> take_open_xrun(std::optional<Nanoseconds> restarted) noexcept;

 private:
  // An xrun needs a full buffer played in between, so one write cannot meet many; more are counted in
  // xruns_met only.
  static constexpr std::size_t kMostXruns = 16;

  /// What recovering or waiting came to.
  enum class Next { go_on, give_up };

  void accepted(WriteResult& result, Frames count) noexcept;
  void card_started(WriteResult& result) noexcept;
  Next wait_for_room(WriteResult& result) noexcept;
  Next recover_after_wait(WriteResult& result, int error) noexcept;
  Next recover(WriteResult& result, int error) noexcept;
  Next recover_from_suspend(WriteResult& result) noexcept;
  Next prepare_again(WriteResult& result) noexcept;
  Next pause(WriteResult& result, Nanoseconds length) noexcept;
  Next end_with(WriteResult& result, WriteStatus status, int error = 0) noexcept;
  std::optional<Nanoseconds> dry_time(Nanoseconds restarted) const noexcept;

  Pcm& pcm_;
  Clock& clock_;
  const std::atomic<bool>& stop_;
  const Nanoseconds patience_;
  Nanoseconds progress_{};  // when the card last took frames, or when the write began
  Frames since_prepare_ = 0;
  bool started_ = false;
  int fruitless_wakes_ = 0;  // since the card last took frames
  int fruitless_recoveries_ = 0;
  int wrong_states_ = 0;
  std::optional<Nanoseconds> first_start_;
  struct OpenXrun {
    Nanoseconds noticed;
    std::optional<Nanoseconds> stopped;
  };
  std::optional<OpenXrun> open_xrun_;
  std::array<XrunSample, kMostXruns> xruns_{};
  std::size_t xrun_count_ = 0;
};

}  // namespace xrunlab
