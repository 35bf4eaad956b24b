#include "alsa_format.hpp"

#include <array>

namespace xrunlab {
namespace {

// In the order of SampleFormat.
constexpr std::array<snd_pcm_format_t, 13> kFormats{
    SND_PCM_FORMAT_U8,        SND_PCM_FORMAT_S8,       SND_PCM_FORMAT_S16_LE,   SND_PCM_FORMAT_S16_BE,
    SND_PCM_FORMAT_S24_3LE,   SND_PCM_FORMAT_S24_3BE,  SND_PCM_FORMAT_S24_LE,   SND_PCM_FORMAT_S32_LE,
    SND_PCM_FORMAT_S32_BE,    SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_FLOAT_BE, SND_PCM_FORMAT_FLOAT64_LE,
    SND_PCM_FORMAT_FLOAT64_BE};

}  // namespace

snd_pcm_format_t to_alsa(SampleFormat format) noexcept {
  return kFormats[static_cast<std::size_t>(format)];
}

std::optional<SampleFormat> from_alsa(snd_pcm_format_t format) noexcept {
  for (std::size_t index = 0; index < kFormats.size(); ++index) {
    if (kFormats[index] == format) return static_cast<SampleFormat>(index);
  }
  return std::nullopt;
}

}  // namespace xrunlab
