#include "xrunlab/timing/trace_window.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

// What follows an episode belongs to it: the rings fill again.
constexpr std::int64_t kBehindEpisodeNs = 5 * kNsPerSecond;
// Queues are emptied one behind the other, ten times a second: the mark of a short wait may come a little
// behind the fragments that followed it.
constexpr std::int64_t kSpareNs = kNsPerSecond;

}  // namespace

TraceWindow::TraceWindow(Nanoseconds length, Nanoseconds fragment, std::size_t most)
    : length_ns_(length.count()), fragment_ns_(fragment.count()), held_(std::max<std::size_t>(1, most)) {}

void TraceWindow::add(const Event& event, const Write& write) {
  hold(event);
  // At once, and not when the episode has been judged: by then its own window would have moved on.
  const auto until = wrong_until(event);
  if (until) keep_until_ns_ = std::max(keep_until_ns_, *until + kBehindEpisodeNs);
  if (event.kind == EventKind::fragment) newest_fragment_ns_ = std::max(newest_fragment_ns_, event.at_ns);
  if (until || event.at_ns <= keep_until_ns_) {
    hand_on(write);
  } else {
    let_go(kSpareNs);
  }
}

/// The end of what went wrong; nothing when nothing did.
std::optional<std::int64_t> TraceWindow::wrong_until(const Event& event) const noexcept {
  switch (event.kind) {
    case EventKind::starvation:
      return event.at_ns + event.starvation.duration_ns;
    case EventKind::xrun:
      return event.at_ns + std::max<std::int64_t>(0, event.xrun.dry_ns);
    case EventKind::episode:
      return event.at_ns + event.episode.duration_ns;
    case EventKind::input_failed:
      return event.at_ns;
    case EventKind::fragment:
      return is_late(event) ? std::optional(event.at_ns) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// As PlaybackRecorder finds a fragment noteworthy.
bool TraceWindow::is_late(const Event& event) const noexcept {
  const auto& fragment = event.fragment;
  return fragment.t1_ns > fragment_ns_ || fragment.t3_ns > fragment_ns_ || fragment.t2_ns > 2 * fragment_ns_;
}

void TraceWindow::hold(const Event& event) noexcept {
  if (count_ == held_.size()) {
    first_ = (first_ + 1) % held_.size();
    --count_;
    ++overflows_;
  }
  held_[(first_ + count_++) % held_.size()] = event;
}

/// Time goes by fragments: while the playback thread waits for a ring, nothing of what led to that may go.
void TraceWindow::let_go(std::int64_t spare_ns) noexcept {
  if (newest_fragment_ns_ == INT64_MIN) return;
  const std::int64_t oldest_ns = newest_fragment_ns_ - length_ns_ - spare_ns;
  while (count_ > 0 && held_[first_].at_ns < oldest_ns) {
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
  let_go(0);
  hand_on(write);
}

}  // namespace xrunlab
