// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/disk_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace xrunlab {
namespace {

/// Room for the largest fragment of a track, widened to aligned edges.
Bytes buffer_bytes(const std::vector<DiskTrack>& tracks, Frames fragment) {
  Bytes most = kPageBytes;
  for (const auto& track : tracks) {
    most = std::max(most, round_up(fragment * track.frame_bytes, track.alignment) + 2 * track.alignment);
  }
  return most;
}

}  // namespace

/// Set-up: allocates.
DiskSource::DiskSource(std::vector<DiskTrack> tracks, Looping looping,
                       std::unique_ptr<ConvertedTracks> converted, const Clock& clock, Histogram& io_latency)
    : tracks_(std::move(tracks)),
      looping_(looping),
      converted_(std::move(converted)),
      clock_(clock),
      io_latency_(io_latency),
      raw_(static_cast<std::size_t>(buffer_bytes(tracks_, converted_->fragment()))) {
  for (const auto& track : tracks_) positions_.push_back(track.extent.begin);
}

TakenFragment DiskSource::take(Nanoseconds start) noexcept {
  TakenFragment taken;
  if (recorded_ != nullptr) take_as_recorded(start);
  if (failure_) {
    taken.status = TakeStatus::failed;
    return taken;
  }
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    taken.frames = std::max(taken.frames, take_track(index));
    if (failure_) {
      taken.status = TakeStatus::failed;
      return taken;
    }
    if (looping_ == Looping::once && positions_[index] >= tracks_[index].extent.end)
      taken.a_track_ended = true;
  }
  if (taken.frames == 0) taken.status = TakeStatus::end;
  return taken;
}

void DiskSource::take_as_recorded(Nanoseconds start) noexcept {
  const auto& takes = recorded_->takes;
  const std::int64_t take = takes_++;
  while (next_recorded_ < takes.size() && takes[next_recorded_].fragment < take) ++next_recorded_;
  const bool known = next_recorded_ < takes.size() && takes[next_recorded_].fragment == take;
  const Nanoseconds length = known ? takes[next_recorded_].length : recorded_->usual;
  sleeper_->sleep_until(start + length);
  io_latency_.record(length);
  if (next_recorded_ == takes.size()) failure_ = recorded_->failure;
}

Frames DiskSource::take_track(std::size_t index) noexcept {
  const auto& track = tracks_[index];
  Frames done = 0;
  while (done < converted_->fragment()) {
    if (positions_[index] >= track.extent.end) {
      if (looping_ == Looping::once || track.extent.end <= track.extent.begin) break;
      positions_[index] = track.extent.begin;
    }
    const Frames left = (track.extent.end - positions_[index]) / track.frame_bytes;
    const Frames step = std::min(left, converted_->fragment() - done);
    const Bytes lead = positions_[index] % track.alignment;
    if (recorded_ == nullptr) {
      if (!read(track, positions_[index] - lead, lead + step * track.frame_bytes, index)) return done;
      converted_->convert(index, raw_.data() + lead, step, done);
    }
    positions_[index] += step * track.frame_bytes;
    bytes_read_ += step * track.frame_bytes;
    done += step;
  }
  if (recorded_ != nullptr) {
    converted_->silence(index, 0);
  } else if (done < converted_->fragment()) {
    converted_->silence(index, done);
  }
  return done;
}

bool DiskSource::read(const DiskTrack& track, Bytes from, Bytes size, std::size_t index) noexcept {
  const Nanoseconds start = clock_.now();
  Bytes got = 0;
  while (got < size) {
    // Continues at the last aligned place; without progress from there the file has ended.
    const Bytes again = round_down(got, track.alignment);
    const ssize_t result =
        pread(track.fd, raw_.data() + again,
              static_cast<std::size_t>(round_up(size - again, track.alignment)), from + again);
    if (result < 0 && errno == EINTR) continue;
    if (result < 0 || again + result <= got) {
      failure_ = InputFailure{static_cast<std::uint32_t>(index), from + got, result < 0 ? errno : 0};
      return false;
    }
    got = again + result;
  }
  io_latency_.record(clock_.now() - start);
  return true;
}

}  // namespace xrunlab
