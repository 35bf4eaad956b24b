// The simulated card as an ALSA PCM: alsa-lib's external I/O plug-in around SimCard. Private to the audio
// room because it shows alsa-lib's types; made by SimPcm and by the loadable plug-in. The callbacks come from
// whichever thread plays.
#pragma once

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

#include <memory>
#include <optional>
#include <string>

#include "xrunlab/audio/sim_capture.hpp"
#include "xrunlab/audio/sim_card.hpp"
#include "xrunlab/audio/sim_options.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {

/// Who destroys the SimPlug: the program, after snd_pcm_close; or alsa-lib, within it.
enum class PlugOwner { program, alsa };

class SimPlug {
 public:
  /// `frame_bytes`: when known beforehand, period sizes are limited exactly; else 0. `mode`: snd_pcm_open's.
  /// Throws Error.
  SimPlug(SimOptions options, Clock& clock, const char* name, int mode, Bytes frame_bytes, PlugOwner owner);
  SimPlug(const SimPlug&) = delete;
  SimPlug& operator=(const SimPlug&) = delete;

  snd_pcm_t* pcm() const noexcept { return io_.pcm; }

  /// True when the clock is not CLOCK_MONOTONIC: then nothing sleeps, the clock is moved. Real-time.
  bool virtual_time() const noexcept { return virtual_time_; }

  /// When a sleeping player should be woken: the first period boundary at which avail_min frames are free,
  /// put off to the end of a stall; when draining, the end of the last frame; now when nothing runs.
  /// Real-time: wait-free.
  Nanoseconds ready_at(Nanoseconds now) const noexcept { return ready_at(now, accepted()); }

  /// When the card ran dry, exactly; nothing before the first time. Real-time: wait-free.
  std::optional<Nanoseconds> dry_at() const noexcept { return dry_at_; }

  /// Ends the capture. Throws Error.
  void close_capture();

 private:
  static const snd_pcm_ioplug_callback_t kCallbacks;
  static SimPlug& self(snd_pcm_ioplug_t* io) noexcept { return *static_cast<SimPlug*>(io->private_data); }

  static int on_start(snd_pcm_ioplug_t* io) noexcept;
  static int on_stop(snd_pcm_ioplug_t* io) noexcept;
  static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t* io) noexcept;
  static snd_pcm_sframes_t on_transfer(snd_pcm_ioplug_t* io, const snd_pcm_channel_area_t* areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) noexcept;
  static int on_prepare(snd_pcm_ioplug_t* io) noexcept;
  static int on_drain(snd_pcm_ioplug_t* io) noexcept;
  static int on_poll_revents(snd_pcm_ioplug_t* io, pollfd* descriptors, unsigned count,
                             unsigned short* events) noexcept;
  static int on_hw_params(snd_pcm_ioplug_t* io, snd_pcm_hw_params_t* params) noexcept;
  static int on_sw_params(snd_pcm_ioplug_t* io, snd_pcm_sw_params_t* params) noexcept;
  static int on_close(snd_pcm_ioplug_t* io) noexcept;

  void constrain(Bytes frame_bytes);
  void constrain_periods(Bytes frame_bytes);
  void set_list(int parameter, const std::vector<unsigned>& values);
  void set_range(int parameter, unsigned least, unsigned most);
  void begin_capture();
  Frames accepted() const noexcept { return static_cast<Frames>(io_.appl_ptr); }
  Frames buffer() const noexcept { return static_cast<Frames>(io_.buffer_size); }
  Nanoseconds ready_at(Nanoseconds now, Frames accepted_frames) const noexcept;
  void arm(Nanoseconds instant) noexcept;

  snd_pcm_ioplug_t io_{};
  SimOptions options_;
  std::string name_;
  Clock& clock_;
  bool virtual_time_;
  PlugOwner owner_;
  UniqueFd timer_;
  SimCard card_{{SampleRate{1}, 0}, {}};
  std::unique_ptr<SimCapture> capture_;
  Frames frame_bytes_ = 0;
  Frames avail_min_ = 1;
  Frames stop_threshold_ = 0;
  std::optional<Nanoseconds> dry_at_;
};

}  // namespace xrunlab
