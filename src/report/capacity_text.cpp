#include "xrunlab/report/capacity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kCapacityColumn = 12;

std::string frames_text(std::int64_t frames, std::int64_t rate_hz) {
  if (rate_hz <= 0) return fmt::format("{} frames", frames);
  const auto ns = frames_to_duration(frames, SampleRate{static_cast<std::uint32_t>(rate_hz)}).count();
  return fmt::format("{} frames, {}", frames, short_duration(ns));
}

std::string capacity_step_text(const CapacityData& capacity, std::int64_t value) {
  return capacity.by == CapacityBy::tracks ? counted(value, "track") : frames_text(value, capacity.rate_hz);
}

/// As narrow as it can be: a trial takes one line.
std::string trial_step_text(const CapacityData& capacity, std::int64_t value) {
  if (capacity.by == CapacityBy::tracks || capacity.rate_hz <= 0) return counted(value, "track");
  const SampleRate rate{static_cast<std::uint32_t>(capacity.rate_hz)};
  return fmt::format("{} ({})", short_duration(frames_to_duration(value, rate).count()), value);
}

std::string searched_set_text(const CapacityData& capacity) {
  std::string text = capacity.set + " in " + capacity.directory;
  if (capacity.by != CapacityBy::tracks) text = counted(capacity.tracks, "track") + " " + text;
  if (capacity.ring_frames > 0) text += "; ring " + frames_text(capacity.ring_frames, capacity.rate_hz);
  if (capacity.fragment_frames > 0)
    text += "; fragment " + frames_text(capacity.fragment_frames, capacity.rate_hz);
  return text;
}

std::string capacity_answer_text(const CapacityData& capacity, const CapacityStep& step) {
  return fmt::format("{} ({} of {})", capacity_step_text(capacity, step.value), step.passes, step.trials);
}

std::string unpaced_text(const CapacityData& capacity, const UnpacedReading& unpaced) {
  return fmt::format("{} MB/s with no card to wait for and {}: worth {} of {}",
                     three_digits(unpaced.bytes_per_s / 1e6), counted(unpaced.tracks, "track"),
                     counted(static_cast<std::int64_t>(unpaced.worth_tracks), "track"), capacity.set);
}

/// Letters for what limits the cells of a table, in the order in which they come up.
class LimitLegend {
 public:
  char letter_of(const std::string& resource) {
    auto found = std::find(resources_.begin(), resources_.end(), resource);
    if (found == resources_.end()) found = resources_.insert(found, resource);
    return static_cast<char>('a' + (found - resources_.begin()));
  }

  std::string text() const {
    std::string text;
    for (const auto& resource : resources_)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                          static_cast<char>('a' + (&resource - resources_.data())), resource);
    return text;
  }

 private:
  std::vector<std::string> resources_;
};

std::string capacity_cell_text(const CapacityData& cell, LimitLegend& legend) {
  std::string text;
  if (cell.answer) {
    text = fmt::format("{}{} ({})", cell.complete ? "" : ">=", cell.answer->value,
                       cell.comfortable ? cell.comfortable->value : 0);
  } else {
    text = cell.complete ? "0" : "?";
  }
  return fmt::format("{} {}", text, legend.letter_of(cell.limit.resource));
}

std::string table_footer(const std::vector<CapacityData>& table, const LimitLegend& legend) {
  std::int64_t took_ns = 0;
  std::int64_t written_bytes = 0;
  std::size_t trials = 0;
  std::vector<std::string> warnings;
  for (const auto& cell : table) {
    took_ns += cell.took_ns;
    written_bytes += cell.written_bytes;
    trials += cell.trials.size();
    for (const auto& warning : cell.warnings) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
    }
  }
  std::string text = labelled("limits", kCapacityColumn, legend.text());
  text += labelled("took", kCapacityColumn,
                   fmt::format("{} for {} of {} each, {} written", spoken_duration(took_ns),
                               counted(static_cast<std::int64_t>(trials), "trial"),
                               spoken_duration(table.front().trial_ns), binary_bytes(written_bytes)));
  for (const auto& warning : warnings) text += labelled("warning", kCapacityColumn, warning);
  return text;
}

}  // namespace

std::string capacity_trial_line(const CapacityData& capacity, const CapacityTrial& trial) {
  std::string line =
      fmt::format("{:<15} {:<10}", trial_step_text(capacity, trial.value), to_string(trial.verdict));
  if (trial.headroom) line += fmt::format(" headroom {:<6}", fixed(std::min(999.0, *trial.headroom), 2));
  if (trial.ring_needed_frames) {
    const auto frames = *trial.ring_needed_frames;
    const SampleRate rate{static_cast<std::uint32_t>(std::max<std::int64_t>(1, capacity.rate_hz))};
    line += fmt::format(" needed {}", short_duration(frames_to_duration(frames, rate).count()));
  }
  if (trial.dropouts > 0) line += ", " + counted(trial.dropouts, "dropout");
  return line;
}

std::string capacity_text(const CapacityData& capacity) {
  std::string text = labelled("", 0,
                              fmt::format("xrunlab {} capacity by {}, {}, Linux {}", capacity.tool.version,
                                          to_string(capacity.by), capacity.start, capacity.system.kernel));
  text += labelled("set", kCapacityColumn, searched_set_text(capacity)) + "\n";
  int number = 0;
  for (const auto& trial : capacity.trials) {
    text += fmt::format("trial {:>3}   {}\n", ++number, capacity_trial_line(capacity, trial));
  }
  text += "\n";
  if (capacity.answer) {
    text += labelled(capacity.by == CapacityBy::tracks ? "largest" : "smallest", kCapacityColumn,
                     capacity_answer_text(capacity, *capacity.answer));
  }
  text +=
      labelled("comfortable", kCapacityColumn,
               capacity.comfortable ? capacity_step_text(capacity, capacity.comfortable->value) + " (PASS)"
                                    : "none: no step had PASS in most of its trials");
  text += labelled("limit", kCapacityColumn, capacity.limit.resource + ": " + capacity.limit.evidence);
  if (capacity.unpaced)
    text += labelled("unpaced", kCapacityColumn, unpaced_text(capacity, *capacity.unpaced));
  text += labelled("took", kCapacityColumn,
                   fmt::format("{} for {}, {} written", spoken_duration(capacity.took_ns),
                               counted(static_cast<std::int64_t>(capacity.trials.size()), "trial"),
                               binary_bytes(capacity.written_bytes)));
  for (const auto& warning : capacity.warnings) text += labelled("warning", kCapacityColumn, warning);
  return text + "\n" + labelled("", 0, capacity_line(capacity));
}

std::string capacity_table(const std::vector<CapacityData>& table) {
  if (table.empty()) return {};
  const CapacityData& first = table.front();
  std::set<std::int64_t> fragments;
  std::map<std::string, std::map<std::int64_t, std::string>> rows;
  std::vector<std::string> order;
  LimitLegend legend;
  for (const auto& cell : table) {
    const SampleRate rate{static_cast<std::uint32_t>(std::max<std::int64_t>(1, cell.rate_hz))};
    const std::string row = fmt::format("{:<12} {:>7}", cell.set,
                                        short_duration(frames_to_duration(cell.ring_frames, rate).count()));
    if (!rows.contains(row)) order.push_back(row);
    fragments.insert(cell.fragment_frames);
    rows[row][cell.fragment_frames] = capacity_cell_text(cell, legend);
  }
  std::string text = labelled("", 0,
                              fmt::format("xrunlab {} capacity, {}, Linux {}, {}", first.tool.version,
                                          first.start, first.system.kernel, first.directory));
  text += "tracks that do not fail (in brackets: with PASS), by frames of a fragment\n\n";
  text += fmt::format("{:<12} {:>7}", "set", "ring");
  for (const auto frames : fragments) text += fmt::format(" {:>16}", std::to_string(frames) + "  ");
  text += "\n";
  for (const auto& row : order) {
    text += row;
    for (const auto frames : fragments) text += fmt::format(" {:>16}", rows[row][frames]);
    text += "\n";
  }
  return text + "\n" + table_footer(table, legend);
}

}  // namespace xrunlab
