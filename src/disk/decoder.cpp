#include "xrunlab/disk/decoder.hpp"

#include <algorithm>
#include <utility>

namespace xrunlab {
namespace {

// So that a stop is seen soon enough for a report within 200 ms of SIGINT.
constexpr Nanoseconds kLongestRest = std::chrono::milliseconds{50};
// A fragment is taken a little after its time: the playback thread wakes, converts and mixes first.
constexpr Nanoseconds kVacancyMargin = std::chrono::microseconds{500};
// Raw bytes come when the disk pleases; a block of them lasts far longer than this.
constexpr Nanoseconds kRawLook = std::chrono::milliseconds{1};
// Unpaced play has no rate to foresee anything by, and decoding is what it waits for.
constexpr Nanoseconds kUnpacedLook = std::chrono::microseconds{200};

}  // namespace

Decoder::Decoder(const DecoderConfig& config, std::vector<DecoderTrack> tracks,
                 const PlaybackProgress& progress, StarvationGate& gate, Clock& clock)
    : config_(config),
      progress_(progress),
      gate_(gate),
      watch_(gate),
      clock_(clock),
      last_full_(tracks.size()),
      without_raw_since_(tracks.size()) {
  tracks_.reserve(tracks.size());
  for (auto& track : tracks)
    tracks_.push_back(std::make_unique<TrackDecoder>(std::move(track), config_.looping, config_.odd_file));
}

void Decoder::tell(EventProducer<Event> events, std::vector<std::uint32_t> tracks, DecoderTells what) {
  tells_ = what;
  events_ = std::move(events);
  event_tracks_ = std::move(tracks);
}

void Decoder::run(const std::atomic<bool>& stop) noexcept {
  try {
    while (!stop.load(std::memory_order_relaxed) && step()) {
    }
  } catch (...) {
    error_ = std::current_exception();
  }
  close();
}

void Decoder::close() noexcept {
  for (std::size_t index = 0; index < tracks_.size(); ++index) end_raw_wait(index, clock_.now());
  gate_.wake();
  finished_.store(true, std::memory_order_release);
}

bool Decoder::step() {
  const auto rest = turn();
  if (!rest) return false;
  if (*rest > clock_.now()) clock_.sleep_until(*rest);
  return true;
}

std::optional<Nanoseconds> Decoder::turn() {
  const Nanoseconds now = clock_.now();
  if (free_since_.count() == 0) free_since_ = now;
  if (under_way_) {
    decode(*std::exchange(under_way_, std::nullopt), now);
    return now;
  }
  const Look seen = look(now);
  if (!seen.any_room) primed_.store(true, std::memory_order_release);
  if (!seen.any_open) return std::nullopt;
  if (!seen.emptiest) return free_since_ = now + sleep_limit(seen, now);
  const Nanoseconds cost = tracks_[*seen.emptiest]->next_cost();
  if (cost.count() <= 0) {
    decode(*seen.emptiest, now);
    return now;
  }
  under_way_ = seen.emptiest;
  return now + cost;
}

Decoder::Look Decoder::look(Nanoseconds now) {
  Look seen;
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    TrackDecoder& track = *tracks_[index];
    if (track.closed()) continue;
    seen.any_open = true;
    if (!track.has_room()) {
      last_full_[index] = now;
      continue;
    }
    seen.any_room = true;
    if (!track.has_raw()) {
      if (!without_raw_since_[index]) without_raw_since_[index] = now;
      continue;
    }
    end_raw_wait(index, now);
    if (seen.emptiest && tracks_[*seen.emptiest]->decoded() <= track.decoded()) continue;
    seen.emptiest = index;
  }
  return seen;
}

void Decoder::end_raw_wait(std::size_t index, Nanoseconds now) {
  const auto since = std::exchange(without_raw_since_[index], std::nullopt);
  if (!since || !events_ || now - *since < kRawLook) return;
  events_->push({.kind = EventKind::raw_wait,
                 .at_ns = now.count(),
                 .raw_wait = {(now - *since).count(), event_tracks_[index]}});
}

void Decoder::decode(std::size_t index, Nanoseconds now) {
  TrackDecoder& track = *tracks_[index];
  if (config_.delays != nullptr)
    config_.delays->pass(now, Nanoseconds{progress_.started_ns.load(std::memory_order_relaxed)});
  const Bytes strayed = track.strayed_bytes();
  const Frames decoded = track.decoded();
  const DecodedEvent piece{.frame = decoded, .raw_begin = track.raw_taken()};
  const std::int64_t passes = track.passes();
  const bool published = track.decode_chunk(now);
  tell_of_piece(index, piece, passes, clock_.now());
  strayed_.fetch_add(track.strayed_bytes() - strayed, std::memory_order_relaxed);
  decoded_.fetch_add(track.decoded() - decoded, std::memory_order_relaxed);
  if (track.failure() && !failed_.load(std::memory_order_relaxed)) {
    failure_ = track.failure();
    failure_->track = static_cast<std::uint32_t>(index);
    failed_.store(true, std::memory_order_release);
  }
  if (!published) return;
  watch_.look(tracks_.size(), [this](std::size_t at, Frames wanted) {
    return tracks_[at]->closed() || tracks_[at]->published() >= wanted;
  });
}

/// `before`: where the track was then.
void Decoder::tell_of_piece(std::size_t index, const DecodedEvent& before, std::int64_t passes,
                            Nanoseconds end) {
  const TrackDecoder& track = *tracks_[index];
  const Nanoseconds begin = std::exchange(free_since_, end);
  if (!events_ || tells_ == DecoderTells::waits) return;
  Event event{.kind = EventKind::decoded, .at_ns = end.count(), .decoded = before};
  event.decoded.frames = track.decoded() - before.frame;
  event.decoded.raw_bytes = track.raw_taken() - before.raw_begin;
  event.decoded.took_ns = std::max<std::int64_t>(0, (end - begin).count());
  event.decoded.track = event_tracks_[index];
  auto ends = DecodedEnd::nothing;
  if (track.passes() > passes) ends = DecodedEnd::pass;
  if (track.failure()) ends = DecodedEnd::failed;
  event.decoded.ends = static_cast<std::uint32_t>(ends);
  events_->push(event);
}

Nanoseconds Decoder::sleep_limit(const Look& seen, Nanoseconds now) const {
  if (config_.pacing == Pacing::unpaced) return kUnpacedLook;
  if (seen.any_room) return kRawLook;
  const std::int64_t taken_at = progress_.at_ns.load(std::memory_order_relaxed);
  const Nanoseconds since_taken{taken_at == 0 ? 0 : now.count() - taken_at};
  Nanoseconds limit = kLongestRest;
  for (const auto& track : tracks_) {
    if (track->closed()) continue;
    // Blocks fall vacant at the ends of fragments only.
    const Frames until = round_up(track->until_vacant(), config_.fragment);
    const Nanoseconds left = frames_to_duration(until, config_.rate) - since_taken;
    limit = std::min({limit, frames_to_duration(track->ring_frames() / 8, config_.rate),
                      std::max(left, Nanoseconds{}) + kVacancyMargin});
  }
  return limit;
}

std::optional<DecodeFailure> Decoder::failure() const {
  if (!failed_.load(std::memory_order_acquire)) return std::nullopt;
  return failure_;
}

std::vector<std::string> Decoder::warnings() const {
  std::vector<std::string> texts;
  for (const auto& track : tracks_) {
    if (!track->warning().empty()) texts.push_back(track->warning());
  }
  return texts;
}

Nanoseconds Decoder::all_full_since() const noexcept {
  return last_full_.empty() ? Nanoseconds{} : *std::min_element(last_full_.begin(), last_full_.end());
}

}  // namespace xrunlab
