#include "xrunlab/disk/disk_reader.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace xrunlab {
namespace {

constexpr Nanoseconds kLongestSleep = std::chrono::seconds{10};
// The decoder, and a card that has not started or stands still, take at no foreseeable time.
constexpr Nanoseconds kLongestSleepUnforeseen = std::chrono::milliseconds{50};
// A fragment is taken a little after its time: the playback thread wakes, converts and mixes first.
constexpr double kVacancyMarginNs = 500'000;
// What is overdue is looked at again after a quarter of the time by which it is.
constexpr double kOverdueShare = 4;
// Unpaced play takes a ring at once, then nothing while a slow disk is waited for: no pace foretells it.
constexpr Nanoseconds kLongestSleepUnpaced = std::chrono::milliseconds{2};
// Unpaced play starts by assuming this many times the rate, until its real pace is seen.
constexpr double kUnpacedGuess = 1000;
constexpr Nanoseconds kLateEntry = std::chrono::milliseconds{1};  // no matter of a timer's slack
constexpr double kPaceWeight = 0.3;  // the pace follows the last look by this share

}  // namespace

DiskReader::DiskReader(ReaderConfig config, std::vector<TrackSource> tracks, const PlaybackProgress& progress,
                       StarvationGate& gate, const Clock& clock)
    : config_(std::move(config)),
      progress_(progress),
      gate_(gate),
      clock_(clock),
      is_wanting_(tracks.size()),
      last_full_(tracks.size()),
      watch_(gate),
      ns_per_frame_(static_cast<double>(kNsPerSecond) / config_.rate.hz),
      io_latency_(std::make_unique<Histogram>()),
      deadline_(std::make_unique<Histogram>()) {
  if (config_.pacing == Pacing::unpaced) ns_per_frame_ /= kUnpacedGuess;
  tracks_.reserve(tracks.size());
  for (std::uint32_t index = 0; index < tracks.size(); ++index) {
    tracks_.emplace_back(std::move(tracks[index]), index, config_.looping);
    if (!tracks_.back().closed()) ++open_tracks_;
    if (tracks_.back().taken_by() == TakenBy::decoder) coded_.push_back(index);
  }
}

void DiskReader::run(const std::atomic<bool>& stop) noexcept {
  try {
    open_engine();
    while (!stop.load(std::memory_order_relaxed) && step()) {
    }
    tell_of_awaited_reads();
    engine_.reset();
  } catch (...) {
    error_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
    ready_.store(true, std::memory_order_release);
  }
  gate_.wake();
  finished_.store(true, std::memory_order_release);
}

void DiskReader::open_engine() {
  engine_ = config_.make_engine();
  grant_ = engine_->grant();
  ready_.store(true, std::memory_order_release);
}

bool DiskReader::step() {
  const auto limit = begin_turn();
  if (!limit) return false;
  end_turn(engine_->wait(*limit), planned_);
  return true;
}

std::optional<Nanoseconds> DiskReader::begin_turn() {
  if (!engine_) open_engine();
  const Nanoseconds now = clock_.now();
  if (last_look_) note_entry(*last_look_, now);
  collect_wanting(now);
  submit_emptiest(now);
  keep_account(now);
  if (!primed() && wanting_.empty() && in_flight() == 0) {
    primed_whole_ = open_tracks_ == 0;
    primed_.store(true, std::memory_order_release);
  }
  if (open_tracks_ == 0 && in_flight() == 0) return std::nullopt;
  const Nanoseconds limit = sleep_limit(now);
  planned_ = now + limit;
  return limit;
}

void DiskReader::end_turn(std::span<const ReadCompletion> completions, Nanoseconds due) {
  const Nanoseconds woken = clock_.now();
  // Behind the wait: so late it would see completions and its planned wake-up had nobody let it run.
  if (config_.delays != nullptr)
    config_.delays->pass(woken, Nanoseconds{progress_.started_ns.load(std::memory_order_relaxed)});
  const Nanoseconds now = clock_.now();
  // Where reads are done in the submission, a long one is no lateness of the reader's own.
  disk_until_ = grant_.reads_in_submit ? woken : std::min(woken, due);
  note_entry(disk_until_, now);
  last_look_ = now;
  // The vacancy that the reads under way were for lasted until here.
  keep_account(now);
  for (const auto& completion : completions) complete(completion, now);
  if (!completions.empty()) wake_starved();
}

void DiskReader::note_entry(Nanoseconds planned, Nanoseconds now) {
  if (!config_.events || now - planned < kLateEntry || !primed()) return;
  Event event{.kind = EventKind::late_entry, .at_ns = now.count(), .late_entry = {planned.count()}};
  config_.events->push(event);
}

void DiskReader::push_wanting(std::uint32_t index) {
  wanting_.push({tracks_[index].planned_ns(), index});
  is_wanting_[index] = true;
}

void DiskReader::collect_wanting(Nanoseconds now) {
  const Frames taken = progress_.taken.load(std::memory_order_acquire);
  if (taken == last_taken_) {
    for (const std::uint32_t index : coded_) look_at(index, now);
    return;
  }
  follow_pace(taken, now);
  for (std::uint32_t index = 0; index < tracks_.size(); ++index) look_at(index, now);
}

void DiskReader::follow_pace(Frames taken, Nanoseconds now) {
  if (config_.pacing == Pacing::unpaced && last_taken_ >= 0 && taken > last_taken_) {
    const double seen =
        static_cast<double>((now - last_turn_).count()) / static_cast<double>(taken - last_taken_);
    ns_per_frame_ += kPaceWeight * (seen - ns_per_frame_);
  }
  last_turn_ = now;
  last_taken_ = taken;
}

void DiskReader::look_at(std::uint32_t index, Nanoseconds now) {
  if (is_wanting_[index]) return;
  if (tracks_[index].wants_read()) {
    push_wanting(index);
  } else if (tracks_[index].full()) {
    last_full_[index] = now;
  }
}

void DiskReader::submit_emptiest(Nanoseconds now) {
  int under_way = in_flight();
  while (!wanting_.empty() && under_way < engine_->depth()) {
    const std::uint32_t index = wanting_.top().index;
    wanting_.pop();
    is_wanting_[index] = false;
    const auto read = tracks_[index].next_read(now.count());
    if (!read) continue;
    engine_->submit(*read);
    ++under_way;
    if (tracks_[index].wants_read()) push_wanting(index);
  }
  in_flight_.store(under_way, std::memory_order_relaxed);
}

void DiskReader::complete(const ReadCompletion& completion, Nanoseconds now) {
  const auto index = static_cast<std::uint32_t>(completion.tag >> 32);
  const auto slot = static_cast<std::uint32_t>(completion.tag);
  ReaderTrack& track = tracks_[index];
  const bool was_closed = track.closed();
  const std::int64_t fill_ns = track.fill_ns();
  const auto outcome = track.complete(slot, completion.result, now.count());
  if (outcome.was_short) ++short_reads_;
  if (outcome.kind == ReaderTrack::Outcome::Kind::again) {
    engine_->submit(outcome.again);
    return;
  }
  in_flight_.store(in_flight() - 1, std::memory_order_relaxed);
  if (outcome.kind == ReaderTrack::Outcome::Kind::failed) {
    if (!failed_.load(std::memory_order_relaxed)) {
      failure_ = outcome.failure;
      failed_.store(true, std::memory_order_release);
    }
    if (config_.events) {
      config_.events->push({.kind = EventKind::input_failed,
                            .at_ns = now.count(),
                            .input_failed = {outcome.failure.offset, outcome.submitted_ns, index,
                                             outcome.failure.error_number}});
    }
  } else {
    totals_.bytes += outcome.bytes;
    bytes_.store(totals_.bytes, std::memory_order_relaxed);
    io_latency_->record(now.count() - outcome.submitted_ns);
    deadline_->record(fill_ns);
    if (config_.events) {
      config_.events->push({.kind = EventKind::read,
                            .at_ns = now.count(),
                            .read = {outcome.offset, outcome.bytes, outcome.submitted_ns,
                                     std::max(outcome.submitted_ns, disk_until_.count()), index,
                                     static_cast<std::uint32_t>(in_flight() + 1), fill_ns}});
    }
    if (!config_.drop_behind.empty()) {
      posix_fadvise(config_.drop_behind[index], outcome.offset, outcome.bytes, POSIX_FADV_DONTNEED);
    }
  }
  if (track.full()) last_full_[index] = now;
  if (track.closed() && !was_closed) note_track_end(track, now);
}

/// What a track that has less than two fragments left was waiting for when the run ended: that read is the
/// one that will never be seen to complete.
void DiskReader::tell_of_awaited_reads() {
  if (!config_.events) return;
  const Nanoseconds now = clock_.now();
  const auto low_ns = 2 * frames_to_duration(config_.fragment, config_.rate).count();
  for (std::uint32_t index = 0; index < tracks_.size(); ++index) {
    const auto awaited = tracks_[index].awaited();
    if (!awaited || tracks_[index].fill_ns() >= low_ns) continue;
    config_.events->push({.kind = EventKind::read,
                          .at_ns = now.count(),
                          .read = {awaited->offset, 0, awaited->submitted_ns, now.count(), index,
                                   static_cast<std::uint32_t>(in_flight()), tracks_[index].fill_ns()}});
  }
}

void DiskReader::note_track_end(const ReaderTrack& track, Nanoseconds now) {
  --open_tracks_;
  // Coded bytes are read far ahead of what is played: their end says nothing about the disk.
  if (track.taken_by() == TakenBy::decoder) return;
  ++closed_played_;
  if (!first_track_read_) first_track_read_ = now;
  if (!window_end_ && window_open_) window_end_ = totals_;
}

void DiskReader::keep_account(Nanoseconds now) {
  if (account_mark_.count() != 0 && was_vacant_) totals_.vacant += now - account_mark_;
  account_mark_ = now;
  was_vacant_ = in_flight() > 0 || !wanting_.empty();
  if (!window_open_ && progress_.started_ns.load(std::memory_order_relaxed) != 0) {
    window_open_ = true;
    window_start_ = totals_;
    if (closed_played_ > 0) window_end_ = totals_;
  }
}

void DiskReader::wake_starved() {
  if (coded_.size() == tracks_.size()) return;  // the decoder publishes everything that is played
  const double ns_per_frame = static_cast<double>(kNsPerSecond) / config_.rate.hz;
  watch_.look(tracks_.size(), [&](std::size_t index, Frames wanted) {
    const auto& track = tracks_[index];
    // Half a nanosecond: the two products round differently.
    return track.taken_by() == TakenBy::decoder || track.closed() ||
           track.published_ns() + 0.5 >= static_cast<double>(wanted) * ns_per_frame;
  });
}

Nanoseconds DiskReader::sleep_limit(Nanoseconds now) const {
  const double ns_per_frame_by_rate = static_cast<double>(kNsPerSecond) / config_.rate.hz;
  const double stretch = ns_per_frame_ / ns_per_frame_by_rate;  // below 1 when play is faster than the rate
  const Nanoseconds longest = coded_.empty() ? kLongestSleep : kLongestSleepUnforeseen;
  auto limit =
      static_cast<double>(config_.pacing == Pacing::unpaced ? kLongestSleepUnpaced.count() : longest.count());
  const bool idle = in_flight() == 0;
  const double fragment_ns = static_cast<double>(config_.fragment) * ns_per_frame_by_rate;
  const auto since_taken = static_cast<double>(now.count() - progress_.at_ns.load(std::memory_order_relaxed));
  for (const auto& track : tracks_) {
    if (track.closed()) continue;
    limit = std::min(limit, track.ring_ns() / 8 * stretch);
    if (!idle) break;  // completions wake it; the rings are much alike
    if (track.taken_by() == TakenBy::decoder) continue;
    // Blocks fall vacant at the ends of fragments only.
    const double fragments = std::ceil(track.until_vacant_ns() / fragment_ns);
    const double until =
        fragments * fragment_ns * stretch - (config_.pacing == Pacing::by_rate ? since_taken : 0);
    const double margin = kVacancyMarginNs * stretch;
    if (until >= 0) {
      limit = std::min(limit, until + margin);
    } else {
      // Overdue. The longer, the less often it is looked at: a ring that is full can wait.
      limit = std::min(
          {limit, -until / kOverdueShare + margin, static_cast<double>(kLongestSleepUnforeseen.count())});
    }
  }
  return Nanoseconds{static_cast<std::int64_t>(limit)};
}

std::optional<InputFailure> DiskReader::input_failure() const noexcept {
  if (!failed_.load(std::memory_order_acquire) || error_) return std::nullopt;
  return failure_;
}

Nanoseconds DiskReader::all_full_since() const noexcept {
  Nanoseconds least = Nanoseconds::max();
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    if (tracks_[index].taken_by() == TakenBy::playback) least = std::min(least, last_full_[index]);
  }
  return least;
}

}  // namespace xrunlab
