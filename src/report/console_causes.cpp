#include "console_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

// With the rest of the summary these fit one screen.
constexpr std::size_t kMostGroups = 4;

/// The episodes that were put down to one cause.
struct Group {
  std::string cause;
  std::vector<const EpisodeData*> episodes;
  const EpisodeData* worst = nullptr;
  Int128 total_ns = 0;
  bool ended_the_run = false;
};

/// An xrun in a starvation is the same dropout: its time is not added a second time.
void add(Group& group, const EpisodeData& episode) {
  const bool ends = episode.kind == "end";
  group.episodes.push_back(&episode);
  group.ended_the_run = group.ended_the_run || ends;
  if (!episode.caused_by) group.total_ns += episode.duration_ns;
  const bool worse = group.worst == nullptr || episode.duration_ns > group.worst->duration_ns;
  if (ends || (worse && (group.worst == nullptr || group.worst->kind != "end"))) group.worst = &episode;
}

std::vector<Group> grouped(const RunData& run) {
  std::vector<Group> groups;
  for (const auto& episode : run.episodes) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return group.cause == episode.cause; });
    if (found != groups.end()) {
      add(*found, episode);
    } else {
      add(groups.emplace_back(Group{.cause = episode.cause, .episodes = {}}), episode);
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& left, const Group& right) {
    if (left.ended_the_run != right.ended_the_run) return left.ended_the_run;
    return left.total_ns > right.total_ns;
  });
  return groups;
}

/// "3 starvations, 2 xruns (1 in a starvation)"
std::string kinds_text(const Group& group) {
  static constexpr std::array<std::pair<const char*, const char*>, 6> kNames{{{"end", "end of the run"},
                                                                              {"starvation", "starvation"},
                                                                              {"xrun", "xrun"},
                                                                              {"ring_read", "long T1"},
                                                                              {"outside", "long T3"},
                                                                              {"pcm_write", "long T2"}}};
  std::string text;
  for (const auto& [kind, name] : kNames) {
    std::int64_t count = 0;
    std::int64_t within = 0;
    for (const auto* const episode : group.episodes) {
      if (episode->kind != kind) continue;
      ++count;
      if (episode->caused_by) ++within;
    }
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    const bool counts = std::string_view(kind) != "end" && !std::string_view(name).starts_with("long");
    text += counts ? counted(count, name) : fmt::format("{} {}", count, name);
    if (within > 0) text += fmt::format(" ({} in a starvation)", within);
  }
  return text;
}

std::string group_text(const Group& group) {
  const auto& worst = *group.worst;
  std::string text = group.cause + ": " + kinds_text(group);
  if (worst.kind != "end") {
    const auto total_ns = static_cast<std::int64_t>(std::min(group.total_ns, Int128{INT64_MAX}));
    if (group.episodes.size() > 1) text += ", " + short_duration(total_ns) + " in all; the worst";
    text += " at " + spoken_duration(std::max<std::int64_t>(0, worst.start_ns)) + " for " +
            short_duration(worst.duration_ns);
  }
  if (group.cause != "unknown") text += ", confidence " + fixed(worst.confidence * 100, 0) + " %";
  return text + ": " + worst.evidence.detail;
}

}  // namespace

std::string cause_lines(const RunData& run) {
  const auto groups = grouped(run);
  std::string lines;
  for (std::size_t index = 0; index < std::min(groups.size(), kMostGroups); ++index) {
    lines += labelled(index == 0 ? "causes" : "", kSummaryIndent, group_text(groups[index]));
  }
  if (groups.size() > kMostGroups) {
    lines += labelled("", kSummaryIndent,
                      fmt::format("and {} more, in the run file",
                                  counted(static_cast<std::int64_t>(groups.size() - kMostGroups), "cause")));
  }
  return lines;
}

}  // namespace xrunlab
