// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/ring_source.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

// A stop is seen this soon in a starved read.
constexpr Nanoseconds kSleepSlice = std::chrono::milliseconds{50};

Bytes largest_frame(const std::vector<RingTrack>& tracks) {
  Bytes largest = 1;
  for (const auto& track : tracks) largest = std::max(largest, track.frame_bytes);
  return largest;
}

}  // namespace

/// Set-up: allocates.
RingSource::RingSource(RingSourceConfig config, std::vector<RingTrack> tracks,
                       std::unique_ptr<ConvertedTracks> converted, StarvationGate& gate, const Clock& clock,
                       const std::atomic<bool>& stop)
    : config_(config),
      tracks_(std::move(tracks)),
      converted_(std::move(converted)),
      gate_(gate),
      clock_(clock),
      stop_(stop),
      fragment_(converted_->fragment()),
      waited_at_full_(tracks_.size()),
      split_frame_(std::make_unique<std::byte[]>(static_cast<std::size_t>(largest_frame(tracks_)))) {}

RingSource::Look RingSource::look() noexcept {
  Look seen;
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    auto& track = tracks_[index];
    const auto fill = track.ring.fill();
    if (fill.bytes >= track.frame_bytes) seen.any_left = true;
    if (fill.end == RingEnd::failed && fill.bytes < fragment_ * track.frame_bytes) seen.failed = true;
    if (fill.end != RingEnd::open) {
      // Nothing comes after what is there, and the next fragment takes all of it.
      if (fill.bytes / track.frame_bytes <= fragment_) seen.a_track_ends = true;
      continue;
    }
    const Frames frames = fill.bytes / track.frame_bytes;
    if (!seen.least_fill || frames < *seen.least_fill) seen.least_fill = frames;
    if (frames < fragment_) {
      seen.lacking = true;
      seen.lacking_track = static_cast<std::uint32_t>(index);
    }
    const Frames need = need_of(index, frames);
    if (need > seen.largest_need) {
      seen.largest_need = need;
      seen.need_track = index;
    }
  }
  return seen;
}

Frames RingSource::need_of(std::size_t index, Frames fill) noexcept {
  const auto& track = tracks_[index];
  const Frames block_frames = block_content(track) / track.frame_bytes;
  if (fill >= track.capacity - block_frames - 1) waited_at_full_[index] = waited_;  // no block is vacant
  const Nanoseconds waited_since = waited_ - waited_at_full_[index];
  const Frames waited = waited_since.count() == 0 ? 0 : duration_to_frames_ceil(waited_since, config_.rate);
  // A looped file fills its blocks more or less: the capacity is the least.
  return std::max<Frames>(track.capacity - fill, 0) + fragment_ + waited;
}

Bytes RingSource::block_content(const RingTrack& track) noexcept {
  return track.block_content > 0 ? track.block_content : static_cast<Bytes>(track.ring.block_bytes());
}

void RingSource::note_need(const Look& seen, Frames waited_since) noexcept {
  if (seen.largest_need + waited_since <= needed_) return;
  needed_ = seen.largest_need + waited_since;
  needed_track_ = seen.need_track;
}

bool RingSource::wait_for_all(StarvedRead& starved) noexcept {
  const Nanoseconds begin = clock_.now();
  bool there = false;
  while (!there && !stop_.load(std::memory_order_relaxed)) {
    gate_.announce(position_ + fragment_);
    const Look seen = look();
    there = !seen.lacking || seen.failed;
    if (there) {
      gate_.withdraw();
    } else {
      starved.track = seen.lacking_track;
      gate_.sleep(kSleepSlice);
    }
  }
  starved.duration = clock_.now() - begin;
  waited_ += starved.duration;
  return there;
}

TakenFragment RingSource::take(Nanoseconds start) noexcept {
  TakenFragment taken;
  Look seen = look();
  taken.fill = seen.least_fill;
  Frames waited = 0;
  // A track that has failed ends the play, whatever the others lack.
  if (seen.lacking && !seen.failed) {
    StarvedRead starved{.at = start, .track = seen.lacking_track, .answer = config_.on_starve};
    const bool silence = config_.on_starve == StarveAnswer::silenced;
    bool there = false;
    if (silence) {
      starved.duration = frames_to_duration(fragment_, config_.rate);
      waited_ += starved.duration;
    } else {
      there = wait_for_all(starved);
    }
    waited = duration_to_frames_ceil(starved.duration, config_.rate);
    taken.starved = starved;
    if (!there) {
      note_need(seen, waited);
      taken.status = silence ? TakeStatus::starved : TakeStatus::stopped;
      taken.frames = fragment_;
      return taken;
    }
  }
  note_need(seen, waited);
  if (seen.lacking) seen = look();
  if (seen.failed) {
    taken.status = TakeStatus::failed;
    return taken;
  }
  if (!seen.any_left && !seen.least_fill) {
    taken.status = TakeStatus::end;
    return taken;
  }
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    taken.frames = std::max(taken.frames, convert(index));
  }
  taken.a_track_ended = seen.a_track_ends;
  position_ += taken.frames;
  return taken;
}

Frames RingSource::convert(std::size_t index) noexcept {
  auto& track = tracks_[index];
  Frames done = 0;
  while (done < fragment_) {
    const auto wanted = static_cast<std::size_t>((fragment_ - done) * track.frame_bytes);
    const auto run = track.ring.contiguous(wanted);
    const Frames whole = static_cast<Frames>(run.size()) / track.frame_bytes;
    if (whole > 0) {
      const Frames step = std::min(whole, fragment_ - done);
      converted_->convert(index, run.data(), step, done);
      track.ring.consume(static_cast<std::size_t>(step * track.frame_bytes));
      done += step;
    } else {
      if (track.ring.fill().bytes < track.frame_bytes) break;
      track.ring.copy_out(split_frame_.get(), static_cast<std::size_t>(track.frame_bytes));
      converted_->convert(index, split_frame_.get(), 1, done);
      ++done;
    }
  }
  if (done < fragment_) converted_->silence(index, done);
  return done;
}

Frames RingSource::capacity() const noexcept {
  Frames least = tracks_.empty() ? 0 : tracks_.front().capacity;
  for (const auto& track : tracks_) least = std::min(least, track.capacity);
  return least;
}

Frames RingSource::ring_needed() const noexcept {
  if (tracks_.empty()) return 0;
  const auto& track = tracks_[needed_track_];
  return round_up(needed_ * track.frame_bytes, block_content(track)) / track.frame_bytes;
}

}  // namespace xrunlab
