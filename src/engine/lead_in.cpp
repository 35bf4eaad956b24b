#include "xrunlab/engine/lead_in.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace xrunlab {
namespace {

// Longer than this a lead-in is not made for the sake of whole blocks.
constexpr std::int64_t kLongestForBlocks = 60;  // seconds
constexpr Bytes kLargestGrid = Bytes{1} << 20;

/// Bytes in the file of so many frames; of coded ones whole blocks, of about as long a time.
Bytes bytes_ahead(const ReplayScript& script, std::size_t index, Frames frames) {
  const auto& track = script.header.chain->tracks[index];
  if (!track.coding) return frames * played_frame_bytes(track);
  return round_up(script.decoding[index]->raw_until(frames),
                  std::max(track.alignment, track.coding->raw_block_bytes));
}

/// What was read before the card started stays there: the lead-in is read as that was.
bool of_priming(const RecordedRead& read) {
  return !read.failed && read.submitted < Nanoseconds{0} && read.completed < Nanoseconds{0};
}

std::shared_ptr<const RecordedReads> later(const ReplayScript& script, Frames frames, Nanoseconds time) {
  const auto& reads = *script.reads;
  std::vector<RecordedRead> moved;
  for (std::size_t track = 0; track < reads.track_count(); ++track) {
    const Bytes bytes = bytes_ahead(script, track, frames);
    for (auto read : reads.of_track(track)) {
      if (!of_priming(read)) {
        read.begin += bytes;
        read.end += bytes;
        read.submitted += time;
        if (read.completed != RecordedRead::kNever) read.completed += time;
      }
      moved.push_back(read);
    }
  }
  auto delays = reads.delays();
  for (auto& delay : delays) delay = {delay.begin + time, delay.end + time};
  return std::make_shared<RecordedReads>(std::move(moved), reads.track_count(), std::move(delays));
}

/// The same pieces behind a lead-in that is decoded as is usual.
std::shared_ptr<const RecordedDecoding> later(const RecordedDecoding& decoding, Frames frames, Bytes bytes) {
  auto pieces = decoding.pieces();
  for (auto& piece : pieces) {
    piece.frame += frames;
    piece.raw_begin += bytes;
  }
  CodedPass pass = decoding.pass();
  pass.bytes += bytes;
  if (pass.frames) *pass.frames += frames;
  auto failed_at = decoding.failed_at();
  if (failed_at) *failed_at += frames;
  return std::make_shared<const RecordedDecoding>(pass, std::move(pieces), failed_at);
}

}  // namespace

Frames lead_in_frames(const ReplayScript& script, Frames ring) {
  const auto& chain = *script.header.chain;
  if (chain.looping) return 0;
  Bytes block = 1;
  for (const auto& track : chain.tracks) {
    if (track.block_count == 0) return 0;
    block = std::max(block, std::min(track.block_bytes, kLargestGrid));
  }
  // A power of two of frames is whole blocks of every track, whatever its frames are.
  const auto grid = static_cast<Frames>(std::bit_ceil(static_cast<std::uint64_t>(block)));
  const Frames both = std::lcm(script.header.fragment, grid);
  const bool short_enough = both <= kLongestForBlocks * static_cast<Frames>(script.header.rate.hz);
  // A ring is granted in whole reads, up to an eighth more.
  return round_up(ring + ring / 8 + script.header.fragment, short_enough ? both : script.header.fragment);
}

ReplayScript with_lead_in(const ReplayScript& script, Frames frames) {
  ReplayScript led = script;
  if (frames <= 0) return led;
  const Nanoseconds time = frames_to_duration(frames, script.header.rate);
  auto& chain = *led.header.chain;
  led.reads = later(script, frames, time);
  for (std::size_t index = 0; index < chain.tracks.size(); ++index) {
    auto& track = chain.tracks[index];
    const Bytes bytes = bytes_ahead(script, index, frames);
    if (track.coding) track.coding->first_block = 0;
    if (track.coding && track.coding->frames) *track.coding->frames += frames;
    if (track.coding) led.decoding[index] = later(*script.decoding[index], frames, bytes);
    track.data_end += bytes;
    track.file_bytes += bytes;
    track.first_end = 0;
  }
  for (auto& wake : led.late_wakes) wake.fragment += frames / script.header.fragment;
  for (auto& hold : led.holds) hold.at += time;
  for (auto& stall : led.card_stalls) stall.at += time;
  for (auto& sample : led.samples) sample.at += time;
  led.frames_played += frames;
  led.length += time;
  return led;
}

}  // namespace xrunlab
