// Opens and configures the card that a run plays to: the simulated one, alsa-lib's null, or any ALSA PCM.
// Called by main in set-up.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/clock.hpp"

namespace xrunlab {

struct PcmRequest {
  std::string device =
      "sim";  ///< "sim", "sim:KEY=VALUE,…" (see sim_options.hpp), "null", "hw:…", any ALSA PCM
  std::optional<SampleFormat> format;  ///< absent: the best of S32_LE S24_3LE S24_LE S16_LE FLOAT_LE
  SampleRate rate;                     ///< exactly this or an error
  int channels = 2;                    ///< exactly this or an error
  Frames period = 1024;                ///< the nearest is taken
  std::optional<Frames> fragment;      ///< absent: the granted period
  std::optional<Frames> buffer;        ///< the nearest is taken; absent: `periods` granted periods
  int periods = 2;
};

/// Opens, configures and prepares. What was granted otherwise than asked goes into `warnings`, a line each.
/// Throws Error{audio_device} that says what the card has, or Error{usage} for a wrong "sim:" option. `clock`
/// must outlive the result; only the simulated card works on another clock than CLOCK_MONOTONIC.
std::unique_ptr<Pcm> open_pcm(const PcmRequest& request, Clock& clock, std::vector<std::string>& warnings);

/// The sound server behind a PCM's name ("PipeWire", "PulseAudio", "JACK"), as alsa-lib's configuration has
/// it; empty when there is none.
std::string sound_server_of(const std::string& device);

/// Whether nothing can be heard of `device`: the simulated card, alsa-lib's null, and what ends in null
/// ("file:…").
bool silent_device(const std::string& device);

}  // namespace xrunlab
