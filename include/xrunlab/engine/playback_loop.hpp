// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The loop of the playback thread: take a fragment, mix it, write it to the card, and time the three
// sections. Everything it touches is allocated before by playback_setup. docs/measurement.md defines from
// where to where each section lasts.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/audio/pcm_writer.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/playback_progress.hpp"
#include "xrunlab/engine/fragment_mixer.hpp"
#include "xrunlab/engine/fragment_source.hpp"
#include "xrunlab/engine/stretch_check.hpp"
#include "xrunlab/timing/planned_delays.hpp"
#include "xrunlab/timing/recorder.hpp"

namespace xrunlab {

enum class OnXrun : std::uint8_t { go_on, stop };

struct PlaybackConfig {
  std::optional<Frames> duration;  ///< stop after so many frames; absent: at the end of the longest track
  OnXrun on_xrun = OnXrun::go_on;
};

enum class PlaybackEnd : std::uint8_t { data, duration, stopped, xrun, input, card };

/// What the loop knows when it ends, beside the recorder's figures. Instants are CLOCK_MONOTONIC; zero:
/// never.
struct PlaybackResult {
  PlaybackEnd end = PlaybackEnd::data;
  int card_error = 0;        ///< negative errno with PlaybackEnd::card
  Frames frames_played = 0;  ///< written to the card
  Frames frames_left = 0;    ///< of these still in a paced card after the last write; 0 when not known
  Nanoseconds first_write{};
  Nanoseconds first_start{};
  Nanoseconds first_track_end{};
  Nanoseconds last_write_end{};
  Nanoseconds ring_read_max_after_first_write{};
  StretchCheck card_clock;
};

class PlaybackLoop {
 public:
  struct Parts {
    FragmentSource& source;
    FragmentMixer& mixer;
    Pcm& pcm;
    PcmWriter& writer;
    PlaybackRecorder& recorder;
    PlaybackProgress& progress;
    const Clock& clock;
    const std::atomic<bool>& stop;
    PlannedDelays* delays = nullptr;          ///< of --fault playback-delay, spent between two fragments
    PlannedDelays* recorded_holds = nullptr;  ///< the same, of a replay
  };

  PlaybackLoop(const PlaybackConfig& config, const Parts& parts) noexcept;

  /// Plays to the end, then drains the card (drops what is in it when stopped). Thread: playback.
  PlaybackResult run() noexcept;

 private:
  bool play_fragment() noexcept;
  bool end_with(PlaybackEnd end) noexcept;
  bool end_without(const TakenFragment& taken, PlaybackEnd end) noexcept;
  void tell_reader(const TakenFragment& taken, Nanoseconds at) noexcept;
  void begin(Nanoseconds at) noexcept;
  void card_started(Nanoseconds at) noexcept;
  void follow_card(const WriteResult& written) noexcept;
  bool goes_on(const WriteResult& written) noexcept;
  void finish() noexcept;

  PlaybackConfig config_;
  Parts parts_;
  PlaybackResult result_;
  std::int64_t index_ = 0;
  Frames taken_ = 0;
  std::optional<Frames> queued_;  ///< in the card after the last write
  Nanoseconds previous_end_{};
};

}  // namespace xrunlab
