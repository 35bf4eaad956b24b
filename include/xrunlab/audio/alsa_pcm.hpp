// A PCM of alsa-lib, opened and configured by open_pcm: each call is alsa-lib's, non-blocking, and waiting is
// our own ppoll on descriptors fetched once. Main opens and closes it, the playback thread does the rest.
#pragma once

#include <poll.h>

#include <vector>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/clock.hpp"

struct _snd_pcm;  // alsa-lib's snd_pcm_t

namespace xrunlab {

class AlsaPcm : public Pcm {
 public:
  /// Takes over a configured, prepared, non-blocking `handle` and closes it in the end. Throws
  /// Error{audio_device} when it has no poll descriptors.
  AlsaPcm(_snd_pcm* handle, PcmGrant grant, Clock& clock);
  ~AlsaPcm() override;
  AlsaPcm(const AlsaPcm&) = delete;
  AlsaPcm& operator=(const AlsaPcm&) = delete;

  Frames write(const std::byte* data, Frames frames) noexcept override;
  int wait(Nanoseconds timeout) noexcept override;
  Frames avail() noexcept override;
  int prepare() noexcept override;
  int resume() noexcept override;
  int start() noexcept override;
  PcmState state() noexcept override;
  std::optional<Nanoseconds> stopped_at() noexcept override;
  int drain(Nanoseconds limit, const std::atomic<bool>& stop) noexcept override;
  int drop() noexcept override;

 protected:
  /// Sleeps until a draining card may be looked at again, at the latest at `until`.
  virtual void wait_for_drain(Nanoseconds until) noexcept;

  Clock& clock() const noexcept { return clock_; }
  void close_handle() noexcept;

 private:
  int state_error() noexcept;

  _snd_pcm* handle_;
  Clock& clock_;
  std::vector<pollfd> descriptors_;
  Nanoseconds last_accepted_{};
};

}  // namespace xrunlab
