#include "xrunlab/engine/converted_tracks.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "xrunlab/audio/convert.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// Both sample types are four bytes wide.
constexpr std::size_t kSampleBytes = sizeof(float);
static_assert(sizeof(std::int32_t) == kSampleBytes);
constexpr std::int64_t kCacheLine = 64;

}  // namespace

void ConvertedTracks::FreeMapping::operator()(std::byte* memory) const noexcept {
  munmap(memory, size);
}

ConvertedTracks::ConvertedTracks(const std::vector<TrackLayout>& tracks, Frames fragment, SamplePath path)
    : layouts_(tracks), fragment_(fragment), memory_(nullptr, FreeMapping{0}) {
  if (path == SamplePath::none) return;
  std::vector<std::size_t> offsets;
  for (const auto& track : tracks) {
    offsets.push_back(size_);
    size_ += static_cast<std::size_t>(
        round_up(fragment * track.channels * static_cast<Bytes>(kSampleBytes), kCacheLine));
  }
  size_ = static_cast<std::size_t>(round_up(static_cast<Bytes>(size_) + 1, kPageBytes));
  void* const mapped =
      mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (mapped == MAP_FAILED) {
    throw Error(ExitCode::system,
                "the converted fragment needs " + std::to_string(size_) + " bytes: " + errno_text(errno),
                "give fewer tracks or a smaller --fragment");
  }
  memory_ = {static_cast<std::byte*>(mapped), FreeMapping{size_}};
  std::int64_t channel = 0;
  for (std::size_t index = 0; index < tracks.size(); ++index) {
    std::byte* const at = memory_.get() + offsets[index];
    if (path == SamplePath::float32) {
      floats_.push_back({reinterpret_cast<float*>(at), tracks[index].channels, channel});
    } else {
      integers_.push_back({reinterpret_cast<std::int32_t*>(at), tracks[index].channels, channel});
    }
    channel += tracks[index].channels;
  }
}

void ConvertedTracks::convert(std::size_t track, const std::byte* in, Frames frames, Frames at) noexcept {
  if (!memory_) return;
  const auto& layout = layouts_[track];
  const auto samples = static_cast<std::size_t>(frames * layout.channels);
  if (!floats_.empty()) {
    to_float(layout.format, in, samples, const_cast<float*>(floats_[track].samples) + at * layout.channels);
  } else {
    clipped_ += static_cast<std::int64_t>(
        to_int32(layout.format, in, samples,
                 const_cast<std::int32_t*>(integers_[track].samples) + at * layout.channels));
  }
}

void ConvertedTracks::silence(std::size_t track, Frames at) noexcept {
  if (!memory_) return;
  const auto channels = layouts_[track].channels;
  const std::size_t bytes = static_cast<std::size_t>((fragment_ - at) * channels) * kSampleBytes;
  void* const start =
      floats_.empty()
          ? static_cast<void*>(const_cast<std::int32_t*>(integers_[track].samples) + at * channels)
          : static_cast<void*>(const_cast<float*>(floats_[track].samples) + at * channels);
  std::memset(start, 0, bytes);
}

}  // namespace xrunlab
