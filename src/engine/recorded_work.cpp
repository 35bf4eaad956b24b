#include "xrunlab/engine/recorded_work.hpp"

#include <algorithm>
#include <utility>

namespace xrunlab {
namespace {

constexpr Nanoseconds kUnknownTake{-1};
constexpr Frames kMostFrames = Frames{1} << 50;

/// 0 for what no piece can be.
Frames end_of(const DecodedEvent& event) noexcept {
  const auto possible = [](std::int64_t frames) { return frames >= 0 && frames < kMostFrames; };
  return possible(event.frame) && possible(event.frames) ? event.frame + event.frames : 0;
}

}  // namespace

void TakeLengths::add(std::int64_t fragment, Nanoseconds length) {
  const auto index = static_cast<std::size_t>(fragment);
  if (index >= lengths_.size()) lengths_.resize(index + 1, kUnknownTake);
  lengths_[index] = length;
}

RecordedTakes TakeLengths::finish() {
  RecordedTakes takes{.lengths = std::move(lengths_), .usual = {}, .failure = failure_};
  std::vector<Nanoseconds> known;
  std::copy_if(takes.lengths.begin(), takes.lengths.end(), std::back_inserter(known),
               [](Nanoseconds length) { return length != kUnknownTake; });
  if (!known.empty()) {
    const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
    std::nth_element(known.begin(), middle, known.end());
    takes.usual = *middle;
  }
  std::replace(takes.lengths.begin(), takes.lengths.end(), kUnknownTake, takes.usual);
  return takes;
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
