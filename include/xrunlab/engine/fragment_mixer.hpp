// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// From the converted fragment of every track to the bytes that the card takes: mixed down with the tracks
// panned in turn, or put 1:1 on the card's channels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "xrunlab/core/page_vector.hpp"
#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/engine/fragment_source.hpp"

namespace xrunlab {

enum class ChannelMap { mix, direct };

struct MixerConfig {
  ChannelMap map = ChannelMap::mix;
  SampleFormat card_format = SampleFormat::s32_le;
  int card_channels = 2;
  Frames fragment = 0;
  double gain_db = 0;  ///< on top of 1/tracks when mixing
};

class FragmentMixer {
 public:
  explicit FragmentMixer(const MixerConfig& config);

  /// The source's fragment as `frames` interleaved frames of the card. Thread: playback. Real-time:
  /// wait-free.
  const std::byte* render(const FragmentSource& source, Frames frames) noexcept;
  /// `frames` frames of silence. Thread: playback. Real-time: wait-free.
  const std::byte* silence(Frames frames) noexcept;

  /// Samples that were outside full scale. Thread: any, once playback has ended.
  std::int64_t clipped() const noexcept { return clipped_; }

 private:
  MixerConfig config_;
  float gain_;
  Frames stride_;
  PageVector<float> sum_;
  PageVector<float> interleaved_;
  PageVector<std::int32_t> integers_;
  PageVector<std::byte> card_;
  std::int64_t clipped_ = 0;
};

}  // namespace xrunlab
