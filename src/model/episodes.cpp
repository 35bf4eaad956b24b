#include "xrunlab/model/episodes.hpp"

#include <algorithm>
#include <map>

namespace xrunlab {
std::vector<StarvationData> join_episodes(std::vector<StarvedRead> reads) {
  std::stable_sort(reads.begin(), reads.end(),
                   [](const auto& left, const auto& right) { return left.at_ns < right.at_ns; });
  std::vector<StarvationData> episodes;
  std::map<std::int64_t, std::int64_t> waited_by_track;
  std::int64_t end_ns = 0;
  for (const auto& read : reads) {
    if (episodes.empty() || read.at_ns - end_ns >= kJoinNs) {
      episodes.push_back({.at_ns = read.at_ns});
      waited_by_track.clear();
      end_ns = read.at_ns;
    }
    auto& episode = episodes.back();
    end_ns = std::max(end_ns, read.at_ns + read.duration_ns);
    episode.duration_ns += read.duration_ns;
    episode.span_ns = end_ns - episode.at_ns;
    ++episode.reads;
    const std::int64_t waited = waited_by_track[read.track] += read.duration_ns;
    const std::int64_t longest = waited_by_track[episode.track];
    const bool lower_of_equals = waited == longest && read.track < episode.track;
    if (episode.reads == 1 || waited > longest || lower_of_equals) episode.track = read.track;
  }
  return episodes;
}

void count_starvation(std::span<const StarvationData> episodes, CountersData& counters) {
  counters.starvation_episodes = static_cast<std::int64_t>(episodes.size());
  counters.starved_reads = 0;
  counters.starved_ns = 0;
  counters.starvation_longest_ns = 0;
  for (const auto& episode : episodes) {
    counters.starved_reads += episode.reads;
    counters.starved_ns += episode.duration_ns;
    counters.starvation_longest_ns = std::max(counters.starvation_longest_ns, episode.duration_ns);
  }
}

std::int64_t count_dropouts(std::span<const XrunData> xruns, std::span<const StarvedRead> silences) {
  struct Stretch {
    std::int64_t begin_ns;
    std::int64_t end_ns;
  };
  std::vector<Stretch> stretches;
  stretches.reserve(xruns.size() + silences.size());
  for (const auto& xrun : xruns) stretches.push_back({xrun.at_ns, xrun.at_ns + xrun.dry_ns.value_or(0)});
  for (const auto& silence : silences) {
    stretches.push_back({silence.at_ns, silence.at_ns + silence.duration_ns});
  }
  std::sort(stretches.begin(), stretches.end(),
            [](const auto& left, const auto& right) { return left.begin_ns < right.begin_ns; });
  std::int64_t dropouts = 0;
  std::int64_t end_ns = 0;
  for (const auto& stretch : stretches) {
    if (dropouts == 0 || stretch.begin_ns - end_ns >= kJoinNs) {
      ++dropouts;
      end_ns = stretch.end_ns;
    }
    end_ns = std::max(end_ns, stretch.end_ns);
  }
  return dropouts;
}

}  // namespace xrunlab
