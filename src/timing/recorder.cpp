// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/timing/recorder.hpp"

#include <utility>

namespace xrunlab {
namespace {

using Counter = std::atomic<std::int64_t>;

// One writer: load and store instead of a locked add.
void bump(Counter& counter, std::int64_t by) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

void lower(Counter& least, std::int64_t value) noexcept {
  if (value < least.load(std::memory_order_relaxed)) least.store(value, std::memory_order_relaxed);
}

void raise(std::int64_t& most, std::int64_t value) noexcept {
  most = std::max(most, value);
}

std::optional<Frames> known(const Counter& low_water) noexcept {
  const auto value = low_water.load(std::memory_order_relaxed);
  return value == INT64_MAX ? std::nullopt : std::optional<Frames>(value);
}

Event event_at(EventKind kind, Nanoseconds at) noexcept {
  Event event{};
  event.kind = kind;
  event.at_ns = at.count();
  return event;
}

}  // namespace

PlaybackRecorder::PlaybackRecorder(RecorderConfig config)
    : card_(config.card),
      drive_(config.drive),
      ring_read_(config.bound),
      pcm_write_(config.bound),
      outside_(config.bound),
      cycle_(config.bound),
      lateness_(lateness_bound(config.card)),
      wake_lateness_(lateness_bound(config.card)),
      trace_(std::move(config.trace)),
      marks_(std::move(config.marks)),
      windows_(std::move(config.windows)) {}

void PlaybackRecorder::card_started(Nanoseconds at) noexcept {
  if (!first_start_) first_start_ = at;
}

void PlaybackRecorder::fragment(const FragmentSample& sample) noexcept {
  // The window first: a fragment that ended after the window's end opens the next one.
  record_window(sample);
  record_times(sample);
  record_ring(sample);
  record_card(sample);
  bump(fragments_, 1);
  if (trace_) trace_->push(event_of(sample));
  if (noteworthy(sample)) [[unlikely]]
    marks_.push(event_of(sample));
}

void PlaybackRecorder::record_times(const FragmentSample& sample) noexcept {
  ring_read_.record(sample.ring_read);
  if (sample.cycle) {
    cycle_.record(sample.cycle->length);
    wake_lateness_.record(sample.cycle->delay);
    return;
  }
  pcm_write_.record(sample.pcm_write);
  if (sample.outside) outside_.record(*sample.outside);
}

/// Whatever --bound counts, a fragment is late when it took longer than it lasts. A write waits for the card
/// by design, so it takes twice that.
bool PlaybackRecorder::noteworthy(const FragmentSample& sample) const noexcept {
  const Nanoseconds length = frames_to_duration(card_.fragment, card_.rate);
  if (sample.cycle) return sample.cycle->length > length;
  return sample.ring_read > length || (sample.outside && *sample.outside > length) ||
         sample.pcm_write > 2 * length || sample.xruns_met > 0;
}

void PlaybackRecorder::record_ring(const FragmentSample& sample) noexcept {
  if (sample.fill && !sample.filling_card) {
    const Frames spare = sample.starved ? 0 : std::max<Frames>(0, *sample.fill - card_.fragment);
    fill_.record(frames_to_duration(*sample.fill, card_.rate));
    lower(ring_low_water_, spare);
    window_.ring_low_water = std::min(window_.ring_low_water, spare);
  }
  last_fill_.store(sample.fill.value_or(-1), std::memory_order_relaxed);
  if (sample.starved) [[unlikely]]
    starved(*sample.starved);
}

void PlaybackRecorder::starved(const StarvedRead& read) noexcept {
  bump(starved_reads_, 1);
  bump(starved_ns_, read.duration.count());
  if (read.answer == StarveAnswer::silenced) bump(silent_fragments_, 1);
  lower(ring_low_water_, 0);
  window_.ring_low_water = 0;
  ++window_.starved_reads;
  Event mark = event_at(EventKind::starvation, read.at);
  mark.starvation = {.duration_ns = read.duration.count(), .track = read.track};
  marks_.push(mark);
}

void PlaybackRecorder::record_card(const FragmentSample& sample) noexcept {
  if (sample.wake)
    wake_lateness_.record(frames_to_duration(std::max<Frames>(0, sample.wake->late), card_.rate));
  if (sample.suspends > 0) [[unlikely]]
    bump(suspends_, sample.suspends);
  if (!sample.xruns.empty()) [[unlikely]] {
    xruns(sample.xruns);
  } else if (sample.queued) {
    record_lateness(lateness(card_, *sample.queued));
    record_slack(slack_frames(card_, *sample.queued));
  }
}

void PlaybackRecorder::xruns(std::span<const XrunSample> xruns) noexcept {
  for (const auto& xrun : xruns) record_xrun(xrun);
}

void PlaybackRecorder::record_xrun(const XrunSample& xrun) noexcept {
  const Nanoseconds gap = std::max(Nanoseconds{0}, xrun.dry.value_or(Nanoseconds{0}));
  if (drive_ == CardDrive::by_writing) {
    // An xrun is over the bound by definition, also when its gap is not known or too short for the time
    // stamps.
    const GapLateness late(card_, std::max(Nanoseconds{1}, gap));
    for (std::int64_t index = 0; index < late.count(); ++index) record_lateness(late.sample(index));
    record_slack(0);
  }
  bump(xruns_, 1);
  bump(lost_ns_, gap.count());
  ++window_.xruns;
  Event mark = event_at(EventKind::xrun, xrun.at);
  mark.xrun = {.dry_ns = xrun.dry ? gap.count() : -1};
  marks_.push(mark);
}

void PlaybackRecorder::record_lateness(Nanoseconds late) noexcept {
  lateness_.record(late);
  raise(window_.lateness_max_ns, late.count());
}

void PlaybackRecorder::record_slack(Frames slack) noexcept {
  slack_.record(frames_to_duration(slack, card_.rate));
  lower(slack_low_water_, slack);
  window_.slack_low_water = std::min(window_.slack_low_water, slack);
}

void PlaybackRecorder::record_window(const FragmentSample& sample) noexcept {
  const Nanoseconds since_start = first_start_ ? sample.ended - *first_start_ : Nanoseconds{0};
  if (since_start >= window_end_) [[unlikely]] {
    // With no room in the queue the window stays open and takes the next ten seconds in as well.
    const bool handed_over = window_.fragments == 0 || windows_.push(closed_at(window_end_));
    const auto passed = since_start / kWindowLength;
    if (handed_over) window_ = WindowFigures{.start_ns = (passed * kWindowLength).count()};
    window_end_ = (passed + 1) * kWindowLength;
  }
  ++window_.fragments;
  raise(window_.ring_read_max_ns, sample.ring_read.count());
  if (sample.cycle) {
    raise(window_.cycle_max_ns, sample.cycle->length.count());
    return;
  }
  raise(window_.pcm_write_max_ns, sample.pcm_write.count());
  if (sample.outside) raise(window_.outside_max_ns, sample.outside->count());
}

WindowFigures PlaybackRecorder::closed_at(Nanoseconds since_start) const noexcept {
  WindowFigures closed = window_;
  closed.length_ns = std::max<std::int64_t>(0, since_start.count() - closed.start_ns);
  return closed;
}

std::optional<WindowFigures> PlaybackRecorder::open_window(Nanoseconds end) const noexcept {
  if (window_.fragments == 0) return std::nullopt;
  return closed_at(first_start_ ? end - *first_start_ : Nanoseconds{0});
}

Event PlaybackRecorder::event_of(const FragmentSample& sample) const noexcept {
  Event event = event_at(EventKind::fragment, sample.ended);
  auto& fragment = event.fragment;
  fragment.index = sample.index;
  fragment.t1_ns = sample.ring_read.count();
  fragment.t2_ns = sample.pcm_write.count();
  fragment.t3_ns = sample.outside ? sample.outside->count() : -1;
  fragment.planned_ns = -1;
  if (sample.wake) {
    const auto late = frames_to_duration(std::max<Frames>(0, sample.wake->late), card_.rate);
    fragment.planned_ns = (sample.wake->at - late).count();
  }
  fragment.fill_frames = sample.fill.value_or(-1);
  fragment.slack_frames = -1;
  if (!sample.xruns.empty()) {
    fragment.slack_frames = 0;
  } else if (sample.queued) {
    fragment.slack_frames = slack_frames(card_, *sample.queued);
  }
  return event;
}

LiveFigures PlaybackRecorder::live() const noexcept {
  const auto fill = last_fill_.load(std::memory_order_relaxed);
  return {.fragments = fragments_.load(std::memory_order_relaxed),
          .starved_reads = starved_reads_.load(std::memory_order_relaxed),
          .xruns = xruns_.load(std::memory_order_relaxed),
          .ring_read_max_ns = ring_read_.max_ns(),
          .pcm_write_max_ns = pcm_write_.max_ns(),
          .outside_max_ns = outside_.max_ns(),
          .cycle_max_ns = drive_ == CardDrive::by_server ? std::optional(cycle_.max_ns()) : std::nullopt,
          .fill = fill < 0 ? std::nullopt : std::optional<Frames>(fill),
          .ring_low_water = known(ring_low_water_),
          .slack_low_water = known(slack_low_water_)};
}

RecorderFigures PlaybackRecorder::snapshot() const {
  RecorderFigures figures;
  figures.ring_read = ring_read_.snapshot();
  figures.pcm_write = pcm_write_.snapshot();
  figures.outside = outside_.snapshot();
  figures.cycle = cycle_.snapshot();
  figures.lateness = lateness_.snapshot();
  figures.wake_lateness = wake_lateness_.snapshot();
  figures.fill = fill_.snapshot();
  figures.slack = slack_.snapshot();
  figures.ring_low_water = known(ring_low_water_);
  figures.slack_low_water = known(slack_low_water_);
  figures.fragments = fragments_.load(std::memory_order_relaxed);
  figures.starved_reads = starved_reads_.load(std::memory_order_relaxed);
  figures.starved_ns = starved_ns_.load(std::memory_order_relaxed);
  figures.silent_fragments = silent_fragments_.load(std::memory_order_relaxed);
  figures.xruns = xruns_.load(std::memory_order_relaxed);
  figures.suspends = suspends_.load(std::memory_order_relaxed);
  figures.lost_ns = lost_ns_.load(std::memory_order_relaxed);
  figures.events_dropped = marks_.dropped() + (trace_ ? trace_->dropped() : 0);
  return figures;
}

}  // namespace xrunlab
