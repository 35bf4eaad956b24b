// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// Where the playback loop gets a fragment of every track from, converted to the samples that are mixed: out
// of the rings, by reading the disk itself (--no-ring), or from a script in tests.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "xrunlab/audio/mix.hpp"
#include "xrunlab/timing/recorder.hpp"

namespace xrunlab {

enum class TakeStatus : std::uint8_t {
  ready,    ///< `frames` of every track stand converted
  starved,  ///< nothing was taken: some ring lacked a fragment and the answer is silence
  end,      ///< no track has anything left
  failed,   ///< an input could not be read on, and less than a fragment is left of it
  stopped,  ///< told to stop while waiting
};

struct TakenFragment {
  TakeStatus status = TakeStatus::ready;
  Frames frames = 0;           ///< ready: the fragment, fewer only at the end of the longest track
  std::optional<Frames> fill;  ///< just before the read, least over the tracks that are still being read
  std::optional<StarvedRead> starved;  ///< when a ring lacked a fragment
  bool a_track_ended = false;          ///< some track has nothing left after this
};

class FragmentSource {
 public:
  virtual ~FragmentSource() = default;

  /// Takes one fragment of every track; `start` is when it was asked for. Thread: playback.
  virtual TakenFragment take(Nanoseconds start) noexcept = 0;

  /// The card's buffer has been filled and it plays: what filling it took out of the rings does not count.
  /// Thread: playback.
  virtual void card_started() noexcept {}

  /// The converted fragment, a track each: valid until the next take. One of the two is in use, by what the
  /// source was made for; the other is empty.
  virtual std::span<const TrackFrames<float>> as_float() const noexcept = 0;
  virtual std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept = 0;

  /// Samples beyond ±1 that became 32-bit integers here; floats are counted where they are made integers.
  virtual std::int64_t clipped() const noexcept { return 0; }
};

}  // namespace xrunlab
