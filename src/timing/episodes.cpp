#include "xrunlab/timing/episodes.hpp"

#include <algorithm>

namespace xrunlab {

void StarvationEpisodes::add(Nanoseconds at, Nanoseconds duration, std::uint32_t track) {
  const bool joined = !episodes_.empty() && at - (episodes_.back().at + episodes_.back().span) < kEpisodeGap;
  if (!joined) {
    episodes_.push_back({.at = at});
    longest_wait_ = Nanoseconds{-1};
  }
  auto& episode = episodes_.back();
  episode.duration += duration;
  episode.span = std::max(episode.span, at + duration - episode.at);
  ++episode.reads;
  if (duration > longest_wait_) {
    longest_wait_ = duration;
    episode.track = track;
  }
}

void Dropouts::add(Nanoseconds at, Nanoseconds duration) noexcept {
  if (!end_ || at - *end_ >= kEpisodeGap) ++count_;
  end_ = std::max(end_.value_or(at), at + duration);
}

}  // namespace xrunlab
