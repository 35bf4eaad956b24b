#include "xrunlab/disk/track_decoder.hpp"

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/coded_file.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/raw_ring_plan.hpp"

namespace xrunlab {

TrackDecoder::TrackDecoder(DecoderTrack track, Looping looping, OddFile odd_file)
    : file_(std::move(track.file)),
      looping_(looping),
      odd_file_(odd_file),
      raw_start_(track.stream.streaming_offset()),
      stream_(std::move(track.stream)),
      raw_(std::move(track.raw), file_.file_bytes - raw_start_, track.raw_position),
      raw_ahead_(raw_bytes_ahead(file_)),
      out_(std::move(track.out)),
      frame_bytes_(static_cast<Bytes>(sizeof(float)) * file_.channels),
      block_frames_(static_cast<Bytes>(out_.block_bytes()) / frame_bytes_),
      block_end_(track.first_block > 0 ? std::min(track.first_block, block_frames_) : block_frames_) {
  stream_.start_streaming(raw_);
}

bool TrackDecoder::has_raw() noexcept {
  return raw_.holds(raw_ahead_);
}

Frames TrackDecoder::next_chunk() const noexcept {
  const Frames wanted = std::min(kDecodedChunk, block_end_ - (block_ ? in_block_ : 0));
  // Behind the last frame there may be tags, which libFLAC takes for broken frames.
  return file_.frames_known ? std::min(wanted, file_.frames - stream_.position()) : wanted;
}

bool TrackDecoder::decode_chunk(Nanoseconds now) {
  if (!block_) {
    block_ = out_.take_vacant();
    in_block_ = 0;
    block_begun_ns_ = now.count();
  }
  const Frames wanted = next_chunk();
  auto* const out =
      reinterpret_cast<float*>(out_.data(*block_)) + in_block_ * static_cast<Frames>(file_.channels);
  const Frames got = wanted > 0 ? stream_.read_float(out, wanted) : 0;
  in_block_ += got;
  decoded_ += got;
  if (warning_.empty() && !stream_.remark().empty()) {
    warning_ = printable_name(file_.path) + ": broken data before frame " +
               std::to_string(stream_.position()) + ", by the decoder's own words: " + stream_.remark();
  }
  const bool full = in_block_ == block_end_;
  if (full) publish_block(now);

  // libsndfile forgets an error at the next read, and some decoders go on behind what they could not read.
  const std::string reason = stream_.failure();
  const bool all_there = file_.frames_known && stream_.position() >= file_.frames;
  const bool lacks_frames = file_.frames_known ? !all_there : may_be_cut(file_);
  const bool cut_off = !reason.empty() && lacks_frames && stream_.exhausted();
  if (cut_off && !file_.frames_known && warning_.empty()) {
    warning_ = printable_name(file_.path) + ": cut off within the frame behind " +
               std::to_string(stream_.position());
  }
  if (!reason.empty() && !cut_off) {
    fail(reason + " (the file is damaged: copy it again from where it came)", now);
  } else if (odd_file_ == OddFile::fails && !warning_.empty()) {
    fail_as_warned(now);
  } else if (got == 0 || all_there || cut_off) {
    end_pass(now);
  }
  return full || closed_;
}

void TrackDecoder::publish_block(Nanoseconds now) noexcept {
  out_.publish({.index = *block_,
                .begin = 0,
                .end = static_cast<std::uint32_t>(in_block_ * frame_bytes_),
                .submitted_ns = block_begun_ns_,
                .completed_ns = now.count()});
  block_.reset();
  in_block_ = 0;
  block_end_ = block_frames_;
}

void TrackDecoder::end_pass(Nanoseconds now) {
  const Frames end = stream_.position();
  ++passes_;
  if (raw_.failed()) {
    fail("the disk reader could not read on (dmesg tells what the disk says)", now);
    return;
  }
  if (end == 0) {
    fail("no frame could be decoded", now);
    return;
  }
  if (file_.frames_known && end < file_.frames && !ended_early_) {
    ended_early_ = true;
    warning_ = printable_name(file_.path) + ": " + ended_at(file_, end);
    if (odd_file_ == OddFile::fails) {
      fail_as_warned(now);
      return;
    }
  }
  if (looping_ == Looping::once) {
    close(RingEnd::finished, now);
  } else {
    begin_next_pass(now);
  }
}

void TrackDecoder::begin_next_pass(Nanoseconds now) {
  // Opened anew rather than sought: the raw bytes must be wanted from the same offset as in the first pass.
  strayed_before_ += stream_.strayed_bytes() + raw_start_;
  try {
    stream_.begin_next_pass(file_);
  } catch (const Error& error) {
    failure_ = DecodeFailure{.track = 0, .frame = 0, .text = error.what()};
    close(RingEnd::failed, now);
    return;
  }
  if (stream_.streaming_offset() != raw_start_) {
    fail("was replaced by another file while it was played (play it when nothing writes to it)", now);
    return;
  }
  raw_.begin_next_pass();
  stream_.start_streaming(raw_);
}

void TrackDecoder::close(RingEnd how, Nanoseconds now) noexcept {
  if (block_ && in_block_ > 0) publish_block(now);
  out_.finish(how);
  closed_ = true;
}

void TrackDecoder::fail(const std::string& reason, Nanoseconds now) {
  const Frames frame = stream_.position();
  failure_ =
      DecodeFailure{.track = 0,
                    .frame = frame,
                    .text = printable_name(file_.path) + ": frame " + std::to_string(frame) + ": " + reason};
  close(RingEnd::failed, now);
}

void TrackDecoder::fail_as_warned(Nanoseconds now) {
  failure_ = DecodeFailure{.track = 0, .frame = stream_.position(), .text = warning_};
  close(RingEnd::failed, now);
}

Frames TrackDecoder::until_vacant() const noexcept {
  if (block_ || out_.any_vacant()) return 0;
  const Frames fill = out_.fill_bytes() / frame_bytes_;
  return std::max<Frames>(fill - block_frames_ * (static_cast<Frames>(out_.block_count()) - 1), 0);
}

}  // namespace xrunlab
