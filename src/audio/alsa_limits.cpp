#include "alsa_limits.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "alsa_format.hpp"

namespace xrunlab {
namespace {

constexpr std::array kEveryFormat{SampleFormat::u8,     SampleFormat::s8,      SampleFormat::s16_le,
                                  SampleFormat::s16_be, SampleFormat::s24_3le, SampleFormat::s24_3be,
                                  SampleFormat::s24_le, SampleFormat::s32_le,  SampleFormat::s32_be,
                                  SampleFormat::f32_le, SampleFormat::f32_be,  SampleFormat::f64_le,
                                  SampleFormat::f64_be};
constexpr std::array<unsigned, 10> kUsualRates{8000,  22050, 32000,  44100,  48000,
                                               88200, 96000, 176400, 192000, 384000};

/// A plug that converts the rate rounds its least sizes down to nothing.
ValueRange in_frames(snd_pcm_uframes_t least, snd_pcm_uframes_t most) {
  return {static_cast<std::int64_t>(std::max<snd_pcm_uframes_t>(least, 1)), static_cast<std::int64_t>(most)};
}

}  // namespace

std::optional<PcmLimits> read_limits(snd_pcm_t* pcm) {
  snd_pcm_hw_params_t* params;
  snd_pcm_hw_params_alloca(&params);
  if (snd_pcm_hw_params_any(pcm, params) < 0) return std::nullopt;
  // As a run asks for it: nothing is resampled behind its back.
  snd_pcm_hw_params_set_rate_resample(pcm, params, 0);
  snd_pcm_hw_params_set_access(pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED);
  PcmLimits limits;
  for (const auto format : kEveryFormat) {
    if (snd_pcm_hw_params_test_format(pcm, params, to_alsa(format)) == 0)
      limits.formats.emplace_back(to_string(format));
  }
  for (const auto rate : kUsualRates) {
    if (snd_pcm_hw_params_test_rate(pcm, params, rate, 0) == 0) limits.usual_rates_hz.push_back(rate);
  }
  unsigned least = 0;
  unsigned most = 0;
  int direction = 0;
  snd_pcm_hw_params_get_rate_min(params, &least, &direction);
  snd_pcm_hw_params_get_rate_max(params, &most, &direction);
  limits.rate_hz = {least, most};
  snd_pcm_hw_params_get_channels_min(params, &least);
  snd_pcm_hw_params_get_channels_max(params, &most);
  limits.channels = {least, most};
  snd_pcm_uframes_t shortest = 0;
  snd_pcm_uframes_t longest = 0;
  snd_pcm_hw_params_get_period_size_min(params, &shortest, &direction);
  snd_pcm_hw_params_get_period_size_max(params, &longest, &direction);
  limits.period_frames = in_frames(shortest, longest);
  snd_pcm_hw_params_get_buffer_size_min(params, &shortest);
  snd_pcm_hw_params_get_buffer_size_max(params, &longest);
  limits.buffer_frames = in_frames(shortest, longest);
  return limits;
}

std::string type_name(snd_pcm_t* pcm) {
  std::string name = snd_pcm_type_name(snd_pcm_type(pcm));
  for (auto& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return name;
}

}  // namespace xrunlab
