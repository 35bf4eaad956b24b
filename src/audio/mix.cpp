// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/audio/mix.hpp"

#include <algorithm>
#include <cstring>

// clang-format off: foreach_target.h includes this file once per target and must come before highway.h
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/mix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace xrunlab::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Multiply and add stay two roundings, as they are on a CPU without a fused instruction.
template <class D>
HWY_INLINE void add_at(D d, hn::Vec<D> track, hn::Vec<D> gain, float* sum) {
  hn::StoreU(hn::Add(hn::LoadU(d, sum), hn::Mul(track, gain)), d, sum);
}

}  // namespace

void add_mono(const float* track, float gain, std::size_t frames, float* sum) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t frame = 0;
  for (; frame + 2 * lanes <= frames; frame += 2 * lanes) {
    add_at(d, hn::LoadU(d, track + frame), hn::Set(d, gain), sum + frame);
    add_at(d, hn::LoadU(d, track + frame + lanes), hn::Set(d, gain), sum + frame + lanes);
  }
  for (; frame < frames; ++frame) sum[frame] += gain * track[frame];
}

void add_stereo(const float* track, float gain, std::size_t frames, float* left, float* right) {
  std::size_t frame = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; frame + lanes <= frames; frame += lanes) {
    hn::Vec<decltype(d)> first;
    hn::Vec<decltype(d)> second;
    hn::LoadInterleaved2(d, track + 2 * frame, first, second);
    add_at(d, first, hn::Set(d, gain), left + frame);
    add_at(d, second, hn::Set(d, gain), right + frame);
  }
#endif
  for (; frame < frames; ++frame) {
    left[frame] += gain * track[2 * frame];
    right[frame] += gain * track[2 * frame + 1];
  }
}

void interleave_stereo(const float* left, const float* right, std::size_t frames, float* out) {
  std::size_t frame = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; frame + lanes <= frames; frame += lanes) {
    hn::StoreInterleaved2(hn::LoadU(d, left + frame), hn::LoadU(d, right + frame), d, out + 2 * frame);
  }
#endif
  for (; frame < frames; ++frame) {
    out[2 * frame] = left[frame];
    out[2 * frame + 1] = right[frame];
  }
}

}  // namespace xrunlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace xrunlab {
namespace {
HWY_EXPORT(add_mono);
HWY_EXPORT(add_stereo);
HWY_EXPORT(interleave_stereo);

// Channels are walked within a few frames at a time, so that all of them stay in the first-level cache.
constexpr std::size_t kCachedSamples = 2048;

std::size_t frames_at_once(int channels) noexcept {
  return std::max<std::size_t>(1, kCachedSamples / static_cast<std::size_t>(channels));
}

float* channel_of(const PlanarFrames& sum, std::int64_t file_channel) noexcept {
  return sum.samples + file_channel % sum.channels * sum.stride;
}

void add_many(const TrackFrames<float>& track, float gain, std::size_t frames,
              const PlanarFrames& sum) noexcept {
  const auto channels = static_cast<std::size_t>(track.channels);
  const std::size_t step = frames_at_once(track.channels);
  for (std::size_t start = 0; start < frames; start += step) {
    const std::size_t end = std::min(frames, start + step);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const float* in = track.samples + channel;
      float* out = channel_of(sum, track.first_channel + static_cast<std::int64_t>(channel));
      for (std::size_t frame = start; frame < end; ++frame) out[frame] += gain * in[frame * channels];
    }
  }
}

/// How many of the track's channels the card has.
template <class Sample>
std::size_t channels_placed(const TrackFrames<Sample>& track, int card_channels) noexcept {
  const std::int64_t room = std::max<std::int64_t>(0, card_channels - track.first_channel);
  return static_cast<std::size_t>(std::min<std::int64_t>(track.channels, room));
}

template <class Sample, class Transform>
void place_each(const TrackFrames<Sample>& track, Frames frames, const CardFrames<Sample>& card,
                Transform transform) noexcept {
  const std::size_t placed = channels_placed(track, card.channels);
  if (placed == 0) return;
  const Sample* in = track.samples;
  Sample* out = card.samples + track.first_channel;
  for (Frames frame = 0; frame < frames; ++frame) {
    for (std::size_t channel = 0; channel < placed; ++channel) out[channel] = transform(in[channel]);
    in += track.channels;
    out += card.channels;
  }
}

template <class Sample>
void silence(const CardFrames<Sample>& card, Frames frames) noexcept {
  std::fill_n(card.samples, frames * card.channels, Sample{0});
}

}  // namespace

void clear(const PlanarFrames& sum, Frames frames) noexcept {
  for (int channel = 0; channel < sum.channels; ++channel) {
    std::fill_n(channel_of(sum, channel), frames, 0.0F);
  }
}
void clear(const CardFrames<float>& card, Frames frames) noexcept {
  silence(card, frames);
}
void clear(const CardFrames<std::int32_t>& card, Frames frames) noexcept {
  silence(card, frames);
}

void mix_add(const TrackFrames<float>& track, float gain, Frames frames, const PlanarFrames& sum) noexcept {
  const auto count = static_cast<std::size_t>(frames);
  float* const first = channel_of(sum, track.first_channel);
  if (track.channels == 1) {
    HWY_DYNAMIC_DISPATCH(add_mono)(track.samples, gain, count, first);
  } else if (track.channels == 2 && sum.channels > 1) {
    float* const second = channel_of(sum, track.first_channel + 1);
    HWY_DYNAMIC_DISPATCH(add_stereo)(track.samples, gain, count, first, second);
  } else {
    add_many(track, gain, count, sum);
  }
}

void interleave(const PlanarFrames& sum, Frames frames, float* out) noexcept {
  const auto count = static_cast<std::size_t>(frames);
  const auto channels = static_cast<std::size_t>(sum.channels);
  if (channels == 1) {
    std::copy_n(sum.samples, count, out);
    return;
  }
  if (channels == 2) {
    HWY_DYNAMIC_DISPATCH(interleave_stereo)(channel_of(sum, 0), channel_of(sum, 1), count, out);
    return;
  }
  const std::size_t step = frames_at_once(sum.channels);
  for (std::size_t start = 0; start < count; start += step) {
    const std::size_t end = std::min(count, start + step);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const float* in = channel_of(sum, static_cast<std::int64_t>(channel));
      for (std::size_t frame = start; frame < end; ++frame) out[frame * channels + channel] = in[frame];
    }
  }
}

void place(const TrackFrames<float>& track, float gain, Frames frames,
           const CardFrames<float>& card) noexcept {
  place_each(track, frames, card, [gain](float sample) { return gain * sample; });
}

void place(const TrackFrames<std::int32_t>& track, Frames frames,
           const CardFrames<std::int32_t>& card) noexcept {
  place_each(track, frames, card, [](std::int32_t sample) { return sample; });
}

}  // namespace xrunlab
#endif
