// Translates between our sample formats and alsa-lib's. Private to the audio room.
#pragma once

#include <alsa/asoundlib.h>

#include <optional>

#include "xrunlab/core/sample_format.hpp"

namespace xrunlab {

snd_pcm_format_t to_alsa(SampleFormat format) noexcept;

/// Nothing for formats that we do not know (A-law, DSD, …).
std::optional<SampleFormat> from_alsa(snd_pcm_format_t format) noexcept;

}  // namespace xrunlab
