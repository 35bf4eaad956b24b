// One playing PCM, as the playback loop sees it: alsa-lib's calls, non-blocking, each of them once.
// Implemented by a real ALSA PCM, by the simulated card (also ALSA, through the external I/O plug-in SDK) and
// by a scripted fake. Opened and closed by main; every other call comes from the playback thread alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// What the card granted. Frames count per channel group (one frame is one sample of every channel).
struct PcmGrant {
  std::string name;    ///< as asked for, "sim", "hw:0"
  std::string plugin;  ///< alsa-lib's type: "hw", "ioplug", "plug", "null", "file", …
  SampleFormat format = SampleFormat::s32_le;
  SampleRate rate;
  int channels = 0;
  Frames period = 0;
  Frames buffer = 0;
  Frames fragment = 0;  ///< what the playback thread writes at once: as asked, else the granted period
  Frames start_threshold = 0;
  Frames avail_min = 0;  ///< poll wakes when this much is free
  bool paced = true;     ///< false for what ends in alsa-lib's null: takes everything at once, stays PREPARED
  bool simulated = false;  ///< our own simulated card
  bool server_driven =
      false;  ///< a sound server calls for each period: there is nothing to wait for (ServerPcm)
  std::string
      server;  ///< "PipeWire", "PulseAudio", "JACK" when a sound server's buffer stands behind the name
};

/// The thresholds that follow from fragment, period and buffer. The card starts when as many whole fragments
/// are in it as fit; it wakes the player when a fragment is free, or a period where that would leave it less
/// than a period to play.
inline void set_thresholds(PcmGrant& grant) noexcept {
  grant.start_threshold =
      grant.fragment > grant.buffer ? grant.buffer : round_down(grant.buffer, grant.fragment);
  grant.avail_min = grant.fragment <= grant.buffer - grant.period ? grant.fragment : grant.period;
}

enum class PcmState { prepared, running, xrun, suspended, disconnected, other };

class Pcm {
 public:
  virtual ~Pcm() = default;

  const PcmGrant& grant() const noexcept { return grant_; }

  /// Offers `frames` interleaved frames once. Returns the frames accepted, or a negative errno: −EAGAIN full,
  /// −EPIPE xrun, −ESTRPIPE suspended, −EBADFD wrong state, −ENODEV gone. Real-time.
  virtual Frames write(const std::byte* data, Frames frames) noexcept = 0;

  /// Sleeps until avail_min frames are free. 1 ready, 0 timed out or interrupted by a signal, or a negative
  /// errno as in write.
  /// Real-time.
  virtual int wait(Nanoseconds timeout) noexcept = 0;

  /// Frames free now, synchronised with the hardware, or a negative errno. Real-time.
  virtual Frames avail() noexcept = 0;

  /// 0 or a negative errno. Real-time (xrun recovery happens on the playback thread).
  virtual int prepare() noexcept = 0;
  virtual int resume() noexcept = 0;
  virtual int start() noexcept = 0;

  virtual PcmState state() noexcept = 0;

  /// When the card last stopped by itself (trigger time, CLOCK_MONOTONIC); nothing when the driver does not
  /// say.
  virtual std::optional<Nanoseconds> stopped_at() noexcept = 0;

  /// Plays what is in the card to its last frame, starting a prepared card. Gives up after `limit`, or when
  /// `stop` is set (seen within 5 ms), and drops the rest. 0, −ETIMEDOUT, −ECANCELED, or another negative
  /// errno.
  virtual int drain(Nanoseconds limit, const std::atomic<bool>& stop) noexcept = 0;
  virtual int drop() noexcept = 0;

  /// Completes what hangs on the card beside its sound (the simulated card's capture file). Called by main
  /// when the playback thread has ended. Throws Error{audio_device} when that is not whole.
  virtual void close() {}

 protected:
  PcmGrant grant_;
};

}  // namespace xrunlab
