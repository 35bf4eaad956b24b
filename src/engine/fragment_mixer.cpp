// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/fragment_mixer.hpp"

#include <cmath>
#include <cstring>

#include "xrunlab/audio/convert.hpp"

namespace xrunlab {
namespace {

constexpr Frames kCacheLineFloats = 16;

}  // namespace

FragmentMixer::FragmentMixer(const MixerConfig& config)
    : config_(config),
      gain_(static_cast<float>(std::pow(10.0, config.gain_db / 20))),
      stride_(round_up(config.fragment, kCacheLineFloats)),
      sum_(static_cast<std::size_t>(stride_ * config.card_channels)),
      interleaved_(static_cast<std::size_t>(config.fragment * config.card_channels)),
      integers_(interleaved_.size()),
      card_(interleaved_.size() * static_cast<std::size_t>(bytes_per_sample(config.card_format))) {}

const std::byte* FragmentMixer::render(const FragmentSource& source, Frames frames) noexcept {
  if (source.as_float().empty() && source.as_int32().empty()) return card_.data();  // still as it was made
  const auto samples = static_cast<std::size_t>(frames * config_.card_channels);
  if (!source.as_int32().empty()) {
    const CardFrames<std::int32_t> card{integers_.data(), config_.card_channels};
    clear(card, frames);
    for (const auto& track : source.as_int32()) place(track, frames, card);
    from_int32(config_.card_format, integers_.data(), samples, card_.data());
    return card_.data();
  }
  if (config_.map == ChannelMap::direct) {
    const CardFrames<float> card{interleaved_.data(), config_.card_channels};
    clear(card, frames);
    for (const auto& track : source.as_float()) place(track, gain_, frames, card);
  } else {
    const PlanarFrames sum{sum_.data(), config_.card_channels, stride_};
    clear(sum, frames);
    const float share = gain_ / static_cast<float>(source.as_float().size());
    for (const auto& track : source.as_float()) mix_add(track, share, frames, sum);
    interleave(sum, frames, interleaved_.data());
  }
  clipped_ +=
      static_cast<std::int64_t>(from_float(config_.card_format, interleaved_.data(), samples, card_.data()));
  return card_.data();
}

const std::byte* FragmentMixer::silence(Frames frames) noexcept {
  const auto samples = static_cast<std::size_t>(frames * config_.card_channels);
  std::memset(interleaved_.data(), 0, samples * sizeof(float));
  from_float(config_.card_format, interleaved_.data(), samples, card_.data());
  return card_.data();
}

}  // namespace xrunlab
