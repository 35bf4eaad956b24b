// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
// From the float frames of many tracks to one fragment of the card: either summed, with the
// file channels panned in turn over the card's, or put side by side, one file channel to one card channel.
// The playback loop calls it once per track and fragment. The sum is planar, so that a mono track is one
// straight multiply-add. Every CPU gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// One fragment of one track: interleaved frames. Channels are numbered over all tracks, from 0;
/// `first_channel` is the number of this track's first.
template <class Sample>
struct TrackFrames {
  const Sample* samples = nullptr;
  int channels = 1;
  std::int64_t first_channel = 0;
};

/// The sum of one fragment: channel c stands at samples + c * stride. Best page-aligned, with a stride of
/// whole cache lines.
struct PlanarFrames {
  float* samples = nullptr;
  int channels = 1;
  Frames stride = 0;
};

/// One fragment as the card wants it, interleaved.
template <class Sample>
struct CardFrames {
  Sample* samples = nullptr;
  int channels = 1;
};

/// Silences the first `frames` of every channel. Thread: playback. Real-time: wait-free.
void clear(const PlanarFrames& sum, Frames frames) noexcept;
void clear(const CardFrames<float>& card, Frames frames) noexcept;
void clear(const CardFrames<std::int32_t>& card, Frames frames) noexcept;

/// sum[g % sum.channels] += gain * track[g] for every file channel g of the track, each product and each sum
/// rounded to float. A mixdown of N tracks has gain 1/N. Thread: playback. Real-time: wait-free.
void mix_add(const TrackFrames<float>& track, float gain, Frames frames, const PlanarFrames& sum) noexcept;

/// Interleaves the sum; `out` takes frames * sum.channels samples. Thread: playback. Real-time: wait-free.
void interleave(const PlanarFrames& sum, Frames frames, float* out) noexcept;

/// Writes file channel g to card channel g (gain 1 is exact) and leaves the card's other channels as they
/// are; file channels that the card lacks are left out. Thread: playback. Real-time: wait-free.
void place(const TrackFrames<float>& track, float gain, Frames frames,
           const CardFrames<float>& card) noexcept;
void place(const TrackFrames<std::int32_t>& track, Frames frames,
           const CardFrames<std::int32_t>& card) noexcept;

}  // namespace xrunlab
