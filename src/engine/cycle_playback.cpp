// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/cycle_playback.hpp"

#include <algorithm>
#include <cerrno>

namespace xrunlab {
namespace {

// Of silence behind the last fragment, so that clients behind us have taken it.
constexpr int kTrailingCycles = 2;

}  // namespace

CyclePlayback::CyclePlayback(const PlaybackConfig& config, const Parts& parts) noexcept
    : config_(config), parts_(parts) {
  result_.card_clock = StretchCheck(parts.pcm.grant().rate, parts.pcm.grant().period);
}

void CyclePlayback::cycle(const AudioCycle& cycle) noexcept {
  cycles_.fetch_add(1, std::memory_order_relaxed);
  if (over_ || !play(cycle)) trail();
}

/// False without a fragment handed over: the play has come to its end.
bool CyclePlayback::play(const AudioCycle& cycle) noexcept {
  if (!follow_server(cycle)) return false;
  if (parts_.stop.load(std::memory_order_relaxed)) return end_with(PlaybackEnd::stopped);
  if (config_.duration && result_.frames_played >= *config_.duration) return end_with(PlaybackEnd::duration);
  if (parts_.delays != nullptr) parts_.delays->pass(cycle.entered, result_.first_start);

  const Nanoseconds asked = parts_.clock.now();
  const TakenFragment taken = parts_.source.take(asked);
  const Nanoseconds stands = parts_.clock.now();
  if (taken.status == TakeStatus::end) return end_without(taken, PlaybackEnd::data);
  if (taken.status == TakeStatus::failed) return end_without(taken, PlaybackEnd::input);
  if (taken.status == TakeStatus::stopped) return end_without(taken, PlaybackEnd::stopped);
  if (taken.status == TakeStatus::ready) taken_ += taken.frames;
  // Released: who sees it finds the blocks that fell vacant.
  parts_.progress.taken.store(taken_, std::memory_order_release);
  parts_.progress.at_ns.store(stands.count(), std::memory_order_relaxed);

  Frames frames = taken.frames;
  if (config_.duration) frames = std::min(frames, *config_.duration - result_.frames_played);
  const bool silent = taken.status == TakeStatus::starved;
  parts_.pcm.write(silent ? parts_.mixer.silence(frames) : parts_.mixer.render(parts_.source, frames),
                   frames);
  const Nanoseconds done = parts_.clock.now();
  result_.frames_played += frames;
  result_.last_write_end = done;
  result_.ring_read_max_after_first_write = std::max(result_.ring_read_max_after_first_write, stands - asked);
  if (taken.a_track_ended && result_.first_track_end.count() == 0) result_.first_track_end = done;
  parts_.recorder.fragment({.index = index_++,
                            .ring_read = stands - asked,
                            .cycle = CycleSample{done - cycle.began, cycle.entered - cycle.began},
                            .ended = done,
                            .fill = taken.fill,
                            .starved = taken.starved});
  return true;
}

bool CyclePlayback::end_with(PlaybackEnd end, int card_error) noexcept {
  result_.end = end;
  result_.card_error = card_error;
  result_.card_clock.close();
  over_ = true;
  return false;
}

/// As the loop: what was lacking when it ended was a starvation all the same.
bool CyclePlayback::end_without(const TakenFragment& taken, PlaybackEnd end) noexcept {
  if (taken.starved) parts_.recorder.starved(*taken.starved);
  return end_with(end);
}

/// False when the server no longer calls for what was granted, or has had an xrun at which the play is to
/// end.
bool CyclePlayback::follow_server(const AudioCycle& cycle) noexcept {
  if (cycle.frames != parts_.pcm.grant().fragment) return end_with(PlaybackEnd::card, -EMSGSIZE);
  if (index_ == 0) {
    begin(cycle.began);
    xruns_ = cycle.xruns;  // those of connecting are no part of the play
  }
  if (cycle.xruns != xruns_) {
    take_xruns(cycle);
    if (config_.on_xrun == OnXrun::stop) return end_with(PlaybackEnd::xrun);
  }
  follow_clock(cycle);
  return true;
}

/// By our calls, not by the begins of cycles: JACK smoothes these, so after an xrun they drift back for
/// seconds. A call that came out of time says nothing of the clock: we were late, or the server was, or it
/// has left cycles out, of which it tells later.
void CyclePlayback::follow_clock(const AudioCycle& cycle) noexcept {
  const Nanoseconds period = frames_to_duration(cycle.frames, parts_.pcm.grant().rate);
  const Nanoseconds off = cycle.entered - last_entered_ - period;
  last_entered_ = cycle.entered;
  called_ += cycle.frames;
  if (std::max(off, -off) > period / 4) {
    result_.card_clock.close();
    return;
  }
  result_.card_clock.observe(cycle.entered, cycle.entered, called_);
}

void CyclePlayback::take_xruns(const AudioCycle& cycle) noexcept {
  for (; xruns_ < cycle.xruns; ++xruns_) {
    const XrunSample xrun{.at = cycle.xrun_told};
    parts_.recorder.xruns({&xrun, 1});
  }
}

void CyclePlayback::begin(Nanoseconds at) noexcept {
  result_.first_write = at;
  result_.first_start = at;
  parts_.progress.started_ns.store(at.count(), std::memory_order_relaxed);
  parts_.source.card_started();
  parts_.recorder.card_started(at);
}

void CyclePlayback::trail() noexcept {
  parts_.pcm.write(nullptr, 0);
  if (trailing_ > kTrailingCycles) return;
  if (++trailing_ <= kTrailingCycles) return;
  all_out_.store(true, std::memory_order_release);
  ended_.set();
}

PlaybackResult CyclePlayback::result(PlaybackEnd otherwise, int card_error) noexcept {
  if (!over_) end_with(otherwise, card_error);
  return result_;
}

}  // namespace xrunlab
