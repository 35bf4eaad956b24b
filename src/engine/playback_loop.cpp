// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/playback_loop.hpp"

#include <algorithm>
#include <cerrno>

namespace xrunlab {
namespace {

// Beyond the length of what is in the card: the period in progress and a busy machine.
constexpr Nanoseconds kDrainMargin = std::chrono::seconds{2};

}  // namespace

PlaybackLoop::PlaybackLoop(const PlaybackConfig& config, const Parts& parts) noexcept
    : config_(config), parts_(parts) {
  result_.card_clock = StretchCheck(parts.pcm.grant().rate, parts.pcm.grant().period);
}

PlaybackResult PlaybackLoop::run() noexcept {
  while (play_fragment()) {
  }
  finish();
  return result_;
}

bool PlaybackLoop::play_fragment() noexcept {
  if (parts_.stop.load(std::memory_order_relaxed)) {
    result_.end = PlaybackEnd::stopped;
    return false;
  }
  const Nanoseconds asked = parts_.clock.now();
  if (running_ && parts_.pcm.grant().paced)
    result_.card_clock.observe(previous_end_, asked, in_stretch_ - queued_);
  if (config_.duration && result_.frames_played >= *config_.duration) {
    result_.end = PlaybackEnd::duration;
    return false;
  }
  const TakenFragment taken = parts_.source.take(asked);
  const Nanoseconds stands = parts_.clock.now();
  if (take_failed(taken)) return false;
  Frames frames = taken.frames;
  if (config_.duration) frames = std::min(frames, *config_.duration - result_.frames_played);
  if (taken.status == TakeStatus::ready) taken_ += taken.frames;
  parts_.progress.taken.store(taken_, std::memory_order_relaxed);
  parts_.progress.at_ns.store(stands.count(), std::memory_order_relaxed);

  const std::byte* const mixed = taken.status == TakeStatus::starved
                                     ? parts_.mixer.silence(frames)
                                     : parts_.mixer.render(parts_.source, frames);
  const Nanoseconds writing = parts_.clock.now();
  const PcmWriteResult written = parts_.writer.write(mixed, frames);
  const Nanoseconds ended = parts_.clock.now();

  FragmentSample sample{.index = index_,
                        .ring_read = stands - asked,
                        .pcm_write = ended - writing,
                        .ended = ended,
                        .fill = taken.fill,
                        .wake = written.wake,
                        .starved = taken.starved,
                        .suspends = written.suspends};
  if (index_ > 0) {
    sample.outside = writing - previous_end_;
    result_.ring_read_max_after_first_write =
        std::max(result_.ring_read_max_after_first_write, sample.ring_read);
  } else {
    result_.first_write = writing;
    if (!parts_.pcm.grant().paced) card_started(writing);
  }
  follow_card(written, ended, sample);
  result_.frames_played += written.accepted;
  result_.last_write_end = ended;
  if (taken.a_track_ended && result_.first_track_end.count() == 0) result_.first_track_end = ended;
  parts_.recorder.fragment(sample);
  if (!sample.xruns.empty()) xrun_count_ = 0;
  previous_end_ = ended;
  ++index_;

  if (written.status == PcmWriteStatus::stopped) result_.end = PlaybackEnd::stopped;
  if (written.status == PcmWriteStatus::failed || written.status == PcmWriteStatus::stuck) {
    result_.end = PlaybackEnd::card;
    result_.card_error = written.status == PcmWriteStatus::stuck ? -ETIMEDOUT : written.error;
  }
  if (written.xrun_count > 0 && config_.on_xrun == OnXrun::stop) {
    result_.end = PlaybackEnd::xrun;
    return false;
  }
  return written.status == PcmWriteStatus::written;
}

bool PlaybackLoop::take_failed(const TakenFragment& taken) noexcept {
  switch (taken.status) {
    case TakeStatus::ready:
    case TakeStatus::starved:
      return false;
    case TakeStatus::end:
      result_.end = PlaybackEnd::data;
      return true;
    case TakeStatus::failed:
      result_.end = PlaybackEnd::input;
      return true;
    case TakeStatus::stopped:
      result_.end = PlaybackEnd::stopped;
      return true;
  }
  return true;
}

void PlaybackLoop::follow_card(const PcmWriteResult& written, Nanoseconds ended,
                               FragmentSample& sample) noexcept {
  if (!parts_.pcm.grant().paced) return;
  if (written.prepared_anew) {
    result_.card_clock.close();
    running_ = false;
    in_stretch_ = 0;
    note_xruns(written);
  }
  in_stretch_ += written.accepted_since_prepare;
  if (!running_ && in_stretch_ >= parts_.pcm.grant().start_threshold) {
    card_started(ended);
    sample.xruns = {xruns_.data(), xrun_count_};
  }
  if (!running_) return;
  const Frames available = parts_.pcm.avail();
  if (available >= 0) {
    queued_ = parts_.pcm.grant().buffer - available;
    sample.queued = queued_;
  }
}

void PlaybackLoop::note_xruns(const PcmWriteResult& written) noexcept {
  for (std::size_t index = 0; index < written.xrun_count; ++index) {
    const PcmXrun& xrun = written.xruns[std::min(index, PcmWriteResult::kMostXruns - 1)];
    if (xrun_count_ == xruns_.size()) flush_xruns();
    stopped_at_[xrun_count_] = xrun.stopped_at;
    xruns_[xrun_count_++] = {.at = xrun.stopped_at.value_or(xrun.noticed)};
  }
}

void PlaybackLoop::flush_xruns() noexcept {
  parts_.recorder.xruns({xruns_.data(), xrun_count_});
  xrun_count_ = 0;
}

/// The time that the card stood dry is known only when it starts again. Longer than the run, or negative: the
/// driver's word is no instant.
void PlaybackLoop::date_xruns(Nanoseconds restart) noexcept {
  for (std::size_t index = 0; index < xrun_count_; ++index) {
    if (!stopped_at_[index]) continue;
    const Nanoseconds dry = restart - *stopped_at_[index];
    if (dry.count() >= 0 && dry <= restart - result_.first_start) xruns_[index].dry = dry;
  }
}

void PlaybackLoop::card_started(Nanoseconds at) noexcept {
  running_ = true;
  date_xruns(at);
  if (result_.first_start.count() != 0) return;
  result_.first_start = at;
  parts_.progress.started_ns.store(at.count(), std::memory_order_relaxed);
  parts_.recorder.card_started(at);
}

void PlaybackLoop::finish() noexcept {
  result_.card_clock.close();
  const PcmGrant& card = parts_.pcm.grant();
  const bool play_out = result_.end == PlaybackEnd::data || result_.end == PlaybackEnd::duration;
  if (!play_out) flush_xruns();
  if (result_.end == PlaybackEnd::card) return;
  if (!play_out) {
    parts_.pcm.drop();
    return;
  }
  // A file shorter than the card's buffer has not started it: draining does.
  if (card.paced && result_.first_start.count() == 0 && result_.frames_played > 0) {
    card_started(parts_.clock.now());
  }
  if (!card.paced) return;
  date_xruns(parts_.clock.now());
  flush_xruns();
  const int drained = parts_.pcm.drain(frames_to_duration(card.buffer, card.rate) + kDrainMargin);
  if (drained < 0 && drained != -EPIPE) {
    result_.end = PlaybackEnd::card;
    result_.card_error = drained;
  }
}

}  // namespace xrunlab
