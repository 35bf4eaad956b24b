#include "xrunlab/timing/trace_window.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

// What follows an episode belongs to it: the rings fill again.
constexpr std::int64_t kBehindEpisodeNs = 5 * kNsPerSecond;

}  // namespace

TraceWindow::TraceWindow(Nanoseconds length, std::size_t most)
    : length_ns_(length.count()), held_(std::max<std::size_t>(1, most)), keep_until_ns_(INT64_MIN) {}

void TraceWindow::add(const Event& event, const Write& write) {
  newest_ns_ = std::max(newest_ns_, event.at_ns);
  if (count_ == held_.size()) {
    first_ = (first_ + 1) % held_.size();
    --count_;
  }
  held_[(first_ + count_++) % held_.size()] = event;
  if (event.kind == EventKind::episode)
    keep_until_ns_ = std::max(keep_until_ns_, event.at_ns + event.episode.duration_ns + kBehindEpisodeNs);
  if (event.kind == EventKind::episode || newest_ns_ <= keep_until_ns_) {
    hand_on(write);
    return;
  }
  // Queues are emptied one behind the other, so what is next in the ring may be a little newer than what
  // follows.
  while (count_ > 0 && held_[first_].at_ns < newest_ns_ - length_ns_) {
    first_ = (first_ + 1) % held_.size();
    --count_;
  }
}

void TraceWindow::hand_on(const Write& write) {
  for (; count_ > 0; --count_) {
    write(held_[first_]);
    first_ = (first_ + 1) % held_.size();
  }
}

void TraceWindow::finish(const Write& write) {
  hand_on(write);
}

}  // namespace xrunlab
