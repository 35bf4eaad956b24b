#include "xrunlab/disk/recorded_reads.hpp"

#include <algorithm>
#include <tuple>

namespace xrunlab {
namespace {

constexpr Nanoseconds kUsualWithoutReads = std::chrono::milliseconds{1};
// No run lasts longer; whatever lies further from the start is damage.
constexpr Nanoseconds kFarthest = std::chrono::hours{24 * 366};

bool is_possible(const RecordedRead& read, std::size_t tracks) noexcept {
  const auto near = [](Nanoseconds instant) { return instant >= -kFarthest && instant <= kFarthest; };
  const bool in_time =
      near(read.submitted) && (read.completed == RecordedRead::kNever || near(read.completed));
  return in_time && read.track < tracks && read.begin >= 0 && read.end > read.begin;
}

Nanoseconds latency_of(const RecordedRead& read) noexcept {
  if (read.completed == RecordedRead::kNever) return kFarthest;
  return std::max(read.completed - read.submitted, Nanoseconds{0});
}

bool is_usual(const RecordedRead& read) noexcept {
  return !read.failed && read.completed != RecordedRead::kNever;
}

/// Nothing when there is no such read.
std::optional<Nanoseconds> median_latency(const std::vector<RecordedRead>& reads, Nanoseconds since) {
  std::vector<Nanoseconds> latencies;
  for (const auto& read : reads) {
    if (is_usual(read) && read.submitted >= since) latencies.push_back(latency_of(read));
  }
  if (latencies.empty()) return std::nullopt;
  const auto middle = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() / 2);
  std::nth_element(latencies.begin(), middle, latencies.end());
  return *middle;
}

std::vector<RecordedDelay> disjoint(std::vector<RecordedDelay> delays) {
  std::sort(delays.begin(), delays.end(),
            [](const RecordedDelay& a, const RecordedDelay& b) { return a.begin < b.begin; });
  std::vector<RecordedDelay> merged;
  for (const auto& delay : delays) {
    if (delay.end <= delay.begin) continue;
    if (!merged.empty() && delay.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, delay.end);
    } else {
      merged.push_back(delay);
    }
  }
  return merged;
}

}  // namespace

RecordedReads::RecordedReads(std::vector<RecordedRead> reads, std::size_t tracks,
                             std::vector<RecordedDelay> delays)
    : tracks_(tracks), longest_(tracks), delays_(disjoint(std::move(delays))) {
  std::erase_if(reads, [tracks](const RecordedRead& read) { return !is_possible(read, tracks); });
  const auto of_play = median_latency(reads, Nanoseconds{0});
  usual_ = of_play ? *of_play : median_latency(reads, Nanoseconds::min()).value_or(kUsualWithoutReads);
  for (auto& read : reads) {
    longest_[read.track] = std::max(longest_[read.track], read.end - read.begin);
    any_never_completed_ = any_never_completed_ || read.completed == RecordedRead::kNever;
    tracks_[read.track].push_back(read);
    ++size_;
  }
  for (auto& track : tracks_) {
    std::sort(track.begin(), track.end(), [](const RecordedRead& a, const RecordedRead& b) {
      return std::tie(a.begin, a.submitted, a.completed, a.end) <
             std::tie(b.begin, b.submitted, b.completed, b.end);
    });
  }
}

Nanoseconds RecordedReads::let_run(Nanoseconds instant) const noexcept {
  const auto after =
      std::upper_bound(delays_.begin(), delays_.end(), instant,
                       [](Nanoseconds at, const RecordedDelay& delay) { return at < delay.begin; });
  return after == delays_.begin() ? instant : std::max(instant, std::prev(after)->end);
}

ReplayedReads::ReplayedReads(const RecordedReads& reads, Nanoseconds punctual)
    : reads_(reads), punctual_(punctual) {
  for (std::size_t track = 0; track < reads.track_count(); ++track)
    played_.emplace_back(reads.of_track(track).size());
}

/// Of those that begin where `first` does and have not been played: a looped file is read there once a pass.
std::optional<std::size_t> ReplayedReads::nearest(std::uint32_t track, std::size_t first,
                                                  Nanoseconds now) const {
  const auto& recorded = reads_.of_track(track);
  std::optional<std::size_t> best;
  for (std::size_t index = first; index < recorded.size() && recorded[index].begin == recorded[first].begin;
       ++index) {
    if (played_[track][index]) continue;
    const auto away = [&](std::size_t at) { return std::chrono::abs(recorded[at].submitted - now); };
    if (best && away(index) >= away(*best)) break;  // they are in the order of time
    best = index;
  }
  return best;
}

ReplayedFate ReplayedReads::next(std::uint32_t track, Bytes begin, Bytes end,
                                 std::optional<Nanoseconds> now) {
  const auto& recorded = reads_.of_track(track);
  const auto begins_before = [](const RecordedRead& read, Bytes at) { return read.begin < at; };
  auto at = std::lower_bound(recorded.begin(), recorded.end(), begin - reads_.longest(track), begins_before);
  ReplayedFate fate;
  int touched = 0;
  // Before the start, what was read first comes first.
  const Nanoseconds when = now.value_or(-kFarthest);
  while (at != recorded.end() && at->begin < end) {
    const auto first = static_cast<std::size_t>(at - recorded.begin());
    const Bytes place = at->begin;
    at = std::lower_bound(at, recorded.end(), place + 1, begins_before);
    const auto found = nearest(track, first, when);
    if (!found || recorded[*found].end <= begin) continue;
    const RecordedRead& read = recorded[*found];
    // How long it took to prime all rings at once says nothing of one read in play.
    if (now && !read.failed && read.submitted < Nanoseconds{0} && read.completed < Nanoseconds{0}) continue;
    if (read.failed) {
      fate.failure = &read;  // stays so, however often it is tried
    } else {
      played_[track][*found] = true;
    }
    const bool longer = touched++ == 0 || latency_of(read) > fate.latency;
    if (!longer) continue;
    fate.latency = latency_of(read);
    fate.completed.reset();
    if (read.completed == RecordedRead::kNever) {
      fate.completed = RecordedRead::kNever;
    } else if (now && std::chrono::abs(read.submitted - *now) <= punctual_) {
      fate.completed = read.completed;
    }
  }
  if (touched == 0) fate.latency = reads_.usual();
  return fate;
}

}  // namespace xrunlab
