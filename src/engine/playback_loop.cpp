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
  if (parts_.delays != nullptr) parts_.delays->pass(previous_end_, result_.first_start);
  if (parts_.recorded_holds != nullptr) parts_.recorded_holds->pass(previous_end_, result_.first_start);
  const Nanoseconds asked = parts_.clock.now();
  if (queued_) result_.card_clock.observe(previous_end_, asked, result_.frames_played - *queued_);
  if (parts_.stop.load(std::memory_order_relaxed)) return end_with(PlaybackEnd::stopped);
  if (config_.duration && result_.frames_played >= *config_.duration) return end_with(PlaybackEnd::duration);

  const TakenFragment taken = parts_.source.take(asked);
  const Nanoseconds stands = parts_.clock.now();
  if (taken.status == TakeStatus::end) return end_without(taken, PlaybackEnd::data);
  if (taken.status == TakeStatus::failed) return end_without(taken, PlaybackEnd::input);
  if (taken.status == TakeStatus::stopped) return end_without(taken, PlaybackEnd::stopped);
  tell_reader(taken, stands);

  Frames frames = taken.frames;
  if (config_.duration) frames = std::min(frames, *config_.duration - result_.frames_played);
  const bool silent = taken.status == TakeStatus::starved;
  const std::byte* const mixed =
      silent ? parts_.mixer.silence(frames) : parts_.mixer.render(parts_.source, frames);
  const Nanoseconds writing = parts_.clock.now();
  if (index_ == 0) begin(writing);
  const WriteResult written = parts_.writer.write(mixed, frames, writing);

  // Nothing is heard before the card starts: filling a buffer larger than the rings starves nobody.
  const bool filling_card = parts_.pcm.grant().paced && result_.first_start.count() == 0;
  FragmentSample sample{.index = index_,
                        .ring_read = stands - asked,
                        .pcm_write = written.ended - writing,
                        .ended = written.ended,
                        .fill = taken.fill,
                        .filling_card = filling_card,
                        .wake = written.wake,
                        .queued = written.queued,
                        .starved = filling_card ? std::nullopt : taken.starved,
                        .xruns = written.xruns,
                        .suspends = written.suspends,
                        .xruns_met = written.xruns_met};
  if (index_ > 0) {
    sample.outside = writing - previous_end_;
    result_.ring_read_max_after_first_write =
        std::max(result_.ring_read_max_after_first_write, sample.ring_read);
  }
  follow_card(written);
  if (taken.a_track_ended && result_.first_track_end.count() == 0) result_.first_track_end = written.ended;
  parts_.recorder.fragment(sample);
  ++index_;
  return goes_on(written);
}

bool PlaybackLoop::end_with(PlaybackEnd end) noexcept {
  result_.end = end;
  return false;
}

/// Ends without a fragment; what was waited for it is a starvation all the same (a disk that hangs is stopped
/// by hand).
bool PlaybackLoop::end_without(const TakenFragment& taken, PlaybackEnd end) noexcept {
  if (taken.starved) parts_.recorder.starved(*taken.starved);
  return end_with(end);
}

void PlaybackLoop::tell_reader(const TakenFragment& taken, Nanoseconds at) noexcept {
  if (taken.status == TakeStatus::ready) taken_ += taken.frames;
  // Released: who sees it finds the blocks that fell vacant.
  parts_.progress.taken.store(taken_, std::memory_order_release);
  parts_.progress.at_ns.store(at.count(), std::memory_order_relaxed);
}

void PlaybackLoop::begin(Nanoseconds at) noexcept {
  result_.first_write = at;
  // An unpaced card never starts: its run begins with its first write.
  if (!parts_.pcm.grant().paced) card_started(at);
}

void PlaybackLoop::card_started(Nanoseconds at) noexcept {
  if (result_.first_start.count() != 0) return;
  result_.first_start = at;
  parts_.progress.started_ns.store(at.count(), std::memory_order_relaxed);
  parts_.source.card_started();
  parts_.recorder.card_started(at);
}

void PlaybackLoop::follow_card(const WriteResult& written) noexcept {
  if (written.xruns_met > 0 || written.suspends > 0) result_.card_clock.close();
  if (written.started) card_started(*written.started);
  result_.frames_played += written.frames;
  result_.last_write_end = written.ended;
  previous_end_ = written.ended;
  queued_ = written.queued;
  result_.frames_left = queued_.value_or(0);
}

bool PlaybackLoop::goes_on(const WriteResult& written) noexcept {
  switch (written.status) {
    case WriteStatus::written:
      if (written.xruns_met > 0 && config_.on_xrun == OnXrun::stop) return end_with(PlaybackEnd::xrun);
      return true;
    case WriteStatus::stopped:
      return end_with(PlaybackEnd::stopped);
    case WriteStatus::timed_out:
      result_.card_error = -ETIMEDOUT;
      return end_with(PlaybackEnd::card);
    case WriteStatus::gone:
    case WriteStatus::failed:
      result_.card_error = written.error;
      return end_with(PlaybackEnd::card);
  }
  return false;
}

void PlaybackLoop::finish() noexcept {
  result_.card_clock.close();
  const PcmGrant& card = parts_.pcm.grant();
  const bool play_out = result_.end == PlaybackEnd::data || result_.end == PlaybackEnd::duration;
  std::optional<Nanoseconds> restarted;
  if (play_out && card.paced && result_.frames_played > 0) {
    // A file shorter than the card's buffer has not started it: draining does.
    restarted = parts_.clock.now();
    card_started(*restarted);
  }
  if (const auto xrun = parts_.writer.take_open_xrun(restarted)) parts_.recorder.xruns({&*xrun, 1});
  if (!play_out && result_.end != PlaybackEnd::card) parts_.pcm.drop();
  if (!restarted) return;
  const int drained =
      parts_.pcm.drain(frames_to_duration(card.buffer, card.rate) + kDrainMargin, parts_.stop);
  if (drained == -ECANCELED) {
    result_.end = PlaybackEnd::stopped;
  } else if (drained < 0 && drained != -EPIPE) {
    result_.end = PlaybackEnd::card;
    result_.card_error = drained;
  }
}

}  // namespace xrunlab
