// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The source of --no-ring: the playback thread reads the disk itself, synchronously, as the players of 2000
// did. Its preads are the planned system calls; a short file or an error ends the run. When a run is played
// again it takes as long as it took, and reads nothing.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/page_vector.hpp"
#include "xrunlab/disk/reader_track.hpp"
#include "xrunlab/engine/converted_tracks.hpp"
#include "xrunlab/engine/fragment_source.hpp"

namespace xrunlab {

struct DiskTrack {
  int fd = -1;
  DataExtent extent;
  Bytes frame_bytes = 0;
  Bytes alignment = 1;  ///< of offset, size and memory, for direct reads
};

/// T1 of a fragment of a recorded run.
struct RecordedTake {
  std::int64_t fragment = 0;
  Nanoseconds length{};
};

/// How long the reads of a recorded run took, which is all that its record knows of them.
struct RecordedTakes {
  std::vector<RecordedTake> takes;      ///< by fragment
  Nanoseconds usual{};                  ///< of what is not among them
  std::optional<InputFailure> failure;  ///< of the take behind the last
};

class DiskSource final : public FragmentSource {
 public:
  DiskSource(std::vector<DiskTrack> tracks, Looping looping, std::unique_ptr<ConvertedTracks> converted,
             const Clock& clock, Histogram& io_latency);

  /// Before the first take: plays `takes` again, on `clock`; both must outlive this.
  void play_again(const RecordedTakes& takes, Clock& clock) noexcept {
    recorded_ = &takes;
    sleeper_ = &clock;
  }

  TakenFragment take(Nanoseconds start) noexcept override;
  std::span<const TrackFrames<float>> as_float() const noexcept override { return converted_->as_float(); }
  std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept override {
    return converted_->as_int32();
  }
  std::int64_t clipped() const noexcept override { return converted_->clipped(); }

  /// The tracks' bytes, without what direct reads bring beside them. Thread: any, once playback has ended.
  Bytes bytes_read() const noexcept { return bytes_read_; }
  std::optional<InputFailure> failure() const noexcept { return failure_; }

 private:
  Frames take_track(std::size_t index) noexcept;
  void take_as_recorded(Nanoseconds start) noexcept;
  bool read(const DiskTrack& track, Bytes from, Bytes size, std::size_t index) noexcept;

  std::vector<DiskTrack> tracks_;
  std::vector<Bytes> positions_;
  Looping looping_;
  std::unique_ptr<ConvertedTracks> converted_;
  const Clock& clock_;
  Histogram& io_latency_;
  PageVector<std::byte> raw_;
  Bytes bytes_read_ = 0;
  std::optional<InputFailure> failure_;
  const RecordedTakes* recorded_ = nullptr;
  Clock* sleeper_ = nullptr;
  std::int64_t takes_ = 0;
  std::size_t next_recorded_ = 0;
};

}  // namespace xrunlab
