// Agrees with an ALSA PCM on format, rate, channels, period and buffer, and sets its thresholds. Private to
// the audio room because it shows alsa-lib's types; used in set-up.
#pragma once

#include <alsa/asoundlib.h>

#include "pcm_owner.hpp"
#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {

/// Configures `pcm` for playing; alsa-lib prepares it thereby. Warnings as in open_pcm. Throws
/// Error{audio_device}.
PcmGrant negotiate(snd_pcm_t* pcm, const PcmRequest& request, std::vector<std::string>& warnings);

/// What the card has, in one line: "S32_LE S16_LE, 44100 … 48000 Hz, 2 channels, periods of 32 … 8192
/// frames".
std::string describe_card(snd_pcm_t* pcm);

/// The type of the PCM at the end of the chain of slaves behind a name, by alsa-lib's configuration: "hw",
/// "null", "pulse", …; empty when it is not defined.
std::string last_type_behind(const std::string& device);

/// The card behind a name, as far as alsa-lib's configuration has it in numbers.
CardAddress hardware_behind(const std::string& device);

/// "sim" or "sim:…".
bool is_simulated(const std::string& device);

/// Why snd_pcm_open failed with `error` (positive), and what to do. `remark`: AlsaNoise's.
Error open_error(const std::string& device, int error, const std::string& remark);

/// Collects what alsa-lib would print on stderr while it lives; afterwards alsa-lib stays silent, because
/// its messages could come from the playback thread.
class AlsaNoise {
 public:
  AlsaNoise();
  ~AlsaNoise();
  AlsaNoise(const AlsaNoise&) = delete;
  AlsaNoise& operator=(const AlsaNoise&) = delete;

  /// " (alsa-lib: …)" with the last thing said, or nothing.
  std::string remark() const;

 private:
  std::string text_;
  std::string* outer_;  // what collected before this one
};

}  // namespace xrunlab
