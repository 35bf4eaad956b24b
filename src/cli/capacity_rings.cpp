#include "xrunlab/cli/capacity_rings.hpp"

#include <algorithm>

#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/read_plan.hpp"
#include "xrunlab/experiment/capacity_ladder.hpp"

namespace xrunlab {

RingSteps::RingSteps(const PlayOptions& play, const SetSpec& track)
    : frame_bytes_(static_cast<Bytes>(track.channels) * bytes_per_sample(track.format)),
      rate_(track.rate),
      fragment_(play.fragment.value_or(play.period_size)) {
  if (play.io_size != "auto") io_size_ = parse_bytes("--io-size", play.io_size);
}

/// With reads of a given size play refuses a ring that is a part of a frame too small for four of them.
Frames RingSteps::smallest_asked() const {
  const Bytes bytes = kLeastReads * smallest_read();
  return std::max<Frames>(1, io_size_ ? (bytes + frame_bytes_ - 1) / frame_bytes_ : bytes / frame_bytes_);
}

Frames RingSteps::granted(Frames asked) const {
  const RingRequest ring{
      .ring = asked, .frame_bytes = frame_bytes_, .fragment = fragment_, .io_size = io_size_, .looped = {}};
  return plan_ring(ring).bytes() / frame_bytes_;
}

std::vector<std::int64_t> RingSteps::down_from(Nanoseconds longest) const {
  std::vector<std::int64_t> steps;
  const auto add = [&](Frames asked) {
    const Frames frames = granted(asked);
    if (frames_to_duration(frames, rate_) > longest) return;
    if (steps.empty() || frames < steps.back()) steps.push_back(frames);
  };
  const Frames least = smallest_asked();
  for (const auto ring_ns : ring_ladder(longest.count(), frames_to_duration(least, rate_).count()))
    add(std::max(least, duration_to_frames_ceil(Nanoseconds{ring_ns}, rate_)));
  add(least);
  if (steps.empty()) steps.push_back(granted(least));
  return steps;
}

}  // namespace xrunlab
