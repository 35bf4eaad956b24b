// Reads what an ALSA PCM accepts before anything is configured. Private to the audio room because it shows
// alsa-lib's types; used in set-up.
#pragma once

#include <alsa/asoundlib.h>

#include <optional>
#include <string>

#include "xrunlab/model/cards.hpp"

namespace xrunlab {

/// Nothing when alsa-lib cannot tell.
std::optional<PcmLimits> read_limits(snd_pcm_t* pcm);

/// The type of an open PCM, "hw", "plug", "ioplug".
std::string type_name(snd_pcm_t* pcm);

}  // namespace xrunlab
