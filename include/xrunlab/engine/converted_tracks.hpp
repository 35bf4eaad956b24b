// The playback thread's own buffer: one fragment of every track, converted. Allocated and touched in set-up;
// the sources fill it, the mixer reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "xrunlab/audio/mix.hpp"
#include "xrunlab/core/sample_format.hpp"

namespace xrunlab {

enum class SamplePath {
  float32,
  int32,
  none,  ///< samples are counted and not looked at: in virtual time there are none
};

struct TrackLayout {
  SampleFormat format = SampleFormat::s16_le;
  int channels = 1;
};

class ConvertedTracks {
 public:
  ConvertedTracks(const std::vector<TrackLayout>& tracks, Frames fragment, SamplePath path);

  /// Converts `frames` frames at `in` to place `at` (frames) of the track's fragment. Thread: playback.
  /// Real-time: wait-free.
  void convert(std::size_t track, const std::byte* in, Frames frames, Frames at) noexcept;

  /// Silences the track's fragment from `at` on. Thread: playback. Real-time: wait-free.
  void silence(std::size_t track, Frames at) noexcept;

  std::span<const TrackFrames<float>> as_float() const noexcept { return floats_; }
  std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept { return integers_; }
  /// Samples beyond ±1 that became integers. Thread: playback, or any once it has ended.
  std::int64_t clipped() const noexcept { return clipped_; }
  Frames fragment() const noexcept { return fragment_; }
  Bytes bytes() const noexcept { return static_cast<Bytes>(size_); }

 private:
  struct FreeMapping {
    std::size_t size;
    void operator()(std::byte* memory) const noexcept;
  };

  std::vector<TrackLayout> layouts_;
  Frames fragment_;
  std::size_t size_ = 0;
  std::unique_ptr<std::byte, FreeMapping> memory_;
  std::vector<TrackFrames<float>> floats_;
  std::vector<TrackFrames<std::int32_t>> integers_;
  std::int64_t clipped_ = 0;
};

}  // namespace xrunlab
