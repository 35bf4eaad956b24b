#include "xrunlab/timing/episodes.hpp"

#include <algorithm>

namespace xrunlab {

void StarvationEpisodes::add(Nanoseconds at, Nanoseconds duration, std::uint32_t track) {
  const bool joined = count_ > 0 && at - (last_.at + last_.span) < kEpisodeGap;
  if (!joined) {
    last_ = {.at = at};
    ++count_;
    longest_wait_ = Nanoseconds{-1};
  }
  last_.duration += duration;
  last_.span = std::max(last_.span, at + duration - last_.at);
  ++last_.reads;
  if (duration > longest_wait_) {
    longest_wait_ = duration;
    last_.track = track;
  }
  longest_ = std::max(longest_, last_.duration);
  if (count_ > static_cast<std::int64_t>(kMostListed)) return;
  if (!joined) listed_.emplace_back();
  listed_.back() = last_;
}

void Dropouts::add(Nanoseconds at, Nanoseconds duration) noexcept {
  if (!end_ || at - *end_ >= kEpisodeGap) ++count_;
  end_ = std::max(end_.value_or(at), at + duration);
}

}  // namespace xrunlab
