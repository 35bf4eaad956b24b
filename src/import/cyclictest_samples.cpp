#include "xrunlab/import/cyclictest_samples.hpp"

#include <algorithm>
#include <optional>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// "%8d:%8lu:%8ld": a time of day, as in a log, has narrower fields.
constexpr std::size_t kLeastColumns = 8;
constexpr std::int64_t kMostThreadIndex = 65'535;

struct Sample {
  std::int64_t thread = 0;
  std::int64_t cycle = 0;
  std::int64_t late = 0;
};

std::optional<std::int64_t> number_in(std::string_view field) {
  TextCursor cursor(field);
  const auto number = cursor.take_whole();
  return cursor.rest().empty() ? number : std::nullopt;
}

std::optional<Sample> sample_of(std::string_view line) {
  const auto first = line.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const auto second = line.find(':', first + 1);
  if (second == std::string_view::npos || second - first <= kLeastColumns) return std::nullopt;
  TextCursor behind(line.substr(second + 1));
  if (behind.rest().size() < kLeastColumns) return std::nullopt;
  const auto late = behind.take_whole();
  behind.take_whole();  // with --smi a count of those stands behind
  if (!behind.rest().empty()) return std::nullopt;
  const auto thread = number_in(line.substr(0, first));
  const auto cycle = number_in(line.substr(first + 1, second - first - 1));
  if (!thread || !cycle || !late || *thread < 0 || *thread > kMostThreadIndex || *cycle < 0)
    return std::nullopt;
  return Sample{*thread, *cycle, *late};
}

}  // namespace

bool CyclictestSamples::take(std::string_view line) {
  const auto sample = sample_of(line);
  if (!sample) return false;
  // A lateness of 0 is printed with the cycle of the line before, so only an earlier one begins anew.
  if (!rounds_.empty()) {
    const auto known = rounds_.back().threads.find(sample->thread);
    if (known != rounds_.back().threads.end() && sample->cycle < known->second.cycle) rounds_.emplace_back();
  } else {
    rounds_.emplace_back();
  }
  auto& thread = rounds_.back().threads[sample->thread];
  if (sample->cycle > thread.cycle + 1) ++thread.leaps;
  thread.min = thread.count == 0 ? sample->late : std::min(thread.min, sample->late);
  thread.max = thread.count == 0 ? sample->late : std::max(thread.max, sample->late);
  thread.cycle = sample->cycle;
  thread.last = sample->late;
  thread.sum += static_cast<double>(sample->late);
  ++thread.count;
  ++rounds_.back().histogram[sample->late];
  return true;
}

CyclictestRound CyclictestSamples::finished(const Round& round, const std::string& source) {
  CyclictestRound made;
  made.histogram = round.histogram;
  std::int64_t planned = 0;
  std::int64_t counted = 0;
  for (const auto& [index, thread] : round.threads) {
    if (thread.leaps > thread.count / 2) {
      throw Error(ExitCode::input_file,
                  source + ": each of its lines is the largest of several wake-ups (cyclictest -v -o)",
                  "import what cyclictest -v has printed without -o, or -h");
    }
    made.threads.push_back({.index = index,
                            .cycles = thread.count,
                            .min = thread.min,
                            .last = thread.last,
                            .average = thread.sum / static_cast<double>(thread.count),
                            .max = thread.max,
                            .overflow = 0});
    counted += thread.count;
    planned += std::max(thread.count, thread.cycle + 1);
  }
  if (planned > counted) made.planned = planned;
  return made;
}

std::vector<CyclictestRound> CyclictestSamples::finish(const std::string& source) const {
  std::vector<CyclictestRound> rounds;
  for (const auto& round : rounds_) rounds.push_back(finished(round, source));
  return rounds;
}

}  // namespace xrunlab
