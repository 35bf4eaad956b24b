#include "xrunlab/disk/reader_track.hpp"

#include <cerrno>

namespace xrunlab {

ReaderTrack::ReaderTrack(TrackSource source, std::uint32_t index, Looping looping)
    : ring_(std::move(source.ring)),
      cursor_(source.extent, static_cast<Bytes>(ring_.block_bytes()), source.alignment, looping,
              source.first),
      alignment_(source.alignment),
      ns_per_byte_(source.ns_per_byte),
      taken_by_(source.taken_by),
      index_(index),
      pending_(ring_.block_count()) {
  if (cursor_.at_end()) {
    ring_.finish(RingEnd::finished);
    closed_ = true;
  }
}

std::optional<ReadRequest> ReaderTrack::next_read(std::int64_t now_ns) {
  if (!wants_read()) return std::nullopt;
  const std::uint32_t slot = *ring_.take_vacant();
  oldest_slot_ = (slot + 1) % static_cast<std::uint32_t>(pending_.size());
  pending_[slot] =
      Pending{.plan = *cursor_.next(), .submitted_ns = now_ns, .end_position = cursor_.planned_bytes()};
  ++in_flight_;
  return request(slot, 0);
}

ReadRequest ReaderTrack::request(std::uint32_t slot, std::uint32_t from) const noexcept {
  const PlannedRead& plan = pending_[slot].plan;
  return {.file = index_,
          .out = ring_.data(slot) + from,
          .offset = plan.offset + from,
          .size = plan.size - from,
          .tag = (static_cast<std::uint64_t>(index_) << 32) | slot};
}

ReaderTrack::Outcome ReaderTrack::complete(std::uint32_t slot, std::int32_t result, std::int64_t now_ns) {
  Pending& read = pending_[slot];
  Outcome outcome;
  if (result == -EINTR || result == -EAGAIN) {
    outcome.kind = Outcome::Kind::again;
    outcome.again = request(slot, static_cast<std::uint32_t>(round_down(read.got, alignment_)));
    return outcome;
  }
  outcome.submitted_ns = read.submitted_ns;
  // A continued read starts again at the last aligned offset, so its result counts from there. One that
  // brings nothing new has met the end of the file: a direct read there returns the same tail again and
  // again.
  const auto got =
      static_cast<std::uint32_t>(round_down(read.got, alignment_)) + static_cast<std::uint32_t>(result);
  if (result <= 0 || got <= read.got) {
    outcome.kind = Outcome::Kind::failed;
    outcome.failure = {index_, read.plan.offset + read.got, result < 0 ? -result : 0};
    read.failed = true;
  } else {
    read.got = got;
    if (read.got < read.plan.end) {
      outcome.kind = Outcome::Kind::again;
      outcome.was_short = true;
      outcome.again = request(slot, static_cast<std::uint32_t>(round_down(read.got, alignment_)));
      return outcome;
    }
    outcome.bytes = read.plan.end - read.plan.begin;
    outcome.offset = read.plan.offset;
  }
  --in_flight_;
  read.completed_ns = now_ns;
  read.done = true;
  publish_done();
  return outcome;
}

void ReaderTrack::publish_done() {
  while (!closed_ && pending_[publish_slot_].done) {
    Pending& read = pending_[publish_slot_];
    read.done = false;
    if (read.failed) {
      ring_.finish(RingEnd::failed);
      closed_ = true;
      return;
    }
    ring_.publish({.index = publish_slot_,
                   .begin = read.plan.begin,
                   .end = read.plan.end,
                   .submitted_ns = read.submitted_ns,
                   .completed_ns = read.completed_ns});
    if (read.plan.last) {
      ring_.finish(RingEnd::finished);
      closed_ = true;
    }
    publish_slot_ = (publish_slot_ + 1) % static_cast<std::uint32_t>(pending_.size());
  }
}

std::optional<ReaderTrack::Awaited> ReaderTrack::awaited() const noexcept {
  if (in_flight_ == 0 || closed_ || pending_[publish_slot_].done) return std::nullopt;
  return Awaited{pending_[publish_slot_].plan.offset, pending_[publish_slot_].submitted_ns};
}

double ReaderTrack::until_vacant_ns() const noexcept {
  if (ring_.any_vacant()) return 0;
  const std::int64_t consumed = ring_.published_bytes() - ring_.fill_bytes();
  return static_cast<double>(pending_[oldest_slot_].end_position - consumed) * ns_per_byte_;
}

}  // namespace xrunlab
