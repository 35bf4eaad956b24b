#include "xrunlab/engine/recorded_work.hpp"

#include <algorithm>
#include <utility>

namespace xrunlab {
namespace {

constexpr Frames kMostFrames = Frames{1} << 50;

/// 0 for what no piece can be.
Frames end_of(const DecodedEvent& event) noexcept {
  const auto possible = [](std::int64_t frames) { return frames >= 0 && frames < kMostFrames; };
  return possible(event.frame) && possible(event.frames) ? event.frame + event.frames : 0;
}

}  // namespace

void TakeLengths::add(std::int64_t fragment, Nanoseconds length) {
  if (takes_.empty() || takes_.back().fragment < fragment) takes_.push_back({fragment, length});
}

RecordedTakes TakeLengths::finish() {
  RecordedTakes recorded{.takes = std::move(takes_), .usual = {}, .failure = failure_};
  std::vector<Nanoseconds> lengths;
  for (const auto& take : recorded.takes) lengths.push_back(take.length);
  if (lengths.empty()) return recorded;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  recorded.usual = *middle;
  return recorded;
}

void CodedPieces::add(const DecodedEvent& event) {
  if (event.track >= tracks_.size() || !chain_.tracks[event.track].coding) return;
  auto& track = tracks_[event.track];
  const Frames end = end_of(event);
  const auto ends = static_cast<DecodedEnd>(event.ends);
  if (ends == DecodedEnd::pass && !track.first_pass && end > 0) track.first_pass = end;
  if (ends == DecodedEnd::failed && !track.failed_at) track.failed_at = end;
  any_failed_ = any_failed_ || ends == DecodedEnd::failed;
  track.pieces.push_back(
      {event.frame, event.frames, event.raw_begin, event.raw_bytes, Nanoseconds{event.took_ns}});
  ++size_;
}

std::vector<std::shared_ptr<const RecordedDecoding>> CodedPieces::finish() {
  std::vector<std::shared_ptr<const RecordedDecoding>> decoding(tracks_.size());
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    const auto& track = chain_.tracks[index];
    if (!track.coding) continue;
    CodedPass pass{.data_begin = track.data_begin,
                   .bytes = track.data_end - track.data_begin,
                   .frames = track.coding->frames,
                   .first_byte = track.start - track.data_begin,
                   .first_frame = track.coding->start_frame};
    // Where it really ended is known better than what its header said.
    if (tracks_[index].first_pass) pass.frames = *tracks_[index].first_pass + pass.first_frame;
    decoding[index] = std::make_shared<const RecordedDecoding>(pass, std::move(tracks_[index].pieces),
                                                               tracks_[index].failed_at);
  }
  return decoding;
}

}  // namespace xrunlab
