#include "xrunlab/platform/sched_lines.hpp"

#include <string>
#include <utility>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::int64_t kLeastReadyNs = 100'000;

/// What stands between `before` and the next `after`; nothing when one of them is missing.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const auto start = text.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  text.remove_prefix(start + before.size());
  const auto end = text.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(0, end);
}

/// The last word before the event's name: "1234.567890".
std::optional<std::int64_t> time_of(std::string_view head) {
  const auto words = split_words(head);
  if (words.empty()) return std::nullopt;
  const auto point = words.back().find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const std::string_view fraction = words.back().substr(point + 1);
  const auto seconds = leading_number(words.back().substr(0, point)).value_or(-1);
  const auto micros = leading_number(fraction).value_or(-1);
  if (seconds < 0 || micros < 0 || fraction.size() != 6) return std::nullopt;
  return seconds * 1'000'000'000 + micros * 1000;
}

}  // namespace

std::optional<std::size_t> SchedLines::watched(std::int64_t id) const noexcept {
  for (std::size_t index = 0; index < ids_.size(); ++index) {
    if (ids_[index] != 0 && ids_[index] == id) return index;
  }
  return std::nullopt;
}

void SchedLines::take(std::string_view line, std::vector<RunnableSpan>& spans) {
  constexpr std::string_view kWaking = ": sched_waking: ";
  constexpr std::string_view kSwitch = ": sched_switch: ";
  if (const auto at = line.find(kWaking); at != std::string_view::npos) {
    const auto time = time_of(line.substr(0, at));
    const auto id = between(line, " pid=", " ");
    const auto index = id ? watched(leading_number(*id).value_or(-1)) : std::nullopt;
    if (time && index && !ready_since_[*index]) ready_since_[*index] = *time;
    return;
  }
  const auto at = line.find(kSwitch);
  if (at == std::string_view::npos) return;
  const auto time = time_of(line.substr(0, at));
  const auto left_name = between(line, "prev_comm=", " prev_pid=");
  const auto left_id = between(line, " prev_pid=", " ");
  const auto left_state = between(line, " prev_state=", " ");
  const auto next_id = between(line, " next_pid=", " ");
  if (!time || !left_name || !left_id || !left_state || !next_id) return;
  if (const auto index = watched(leading_number(*left_id).value_or(-1))) {
    ready_since_[*index].reset();
    if (left_state->starts_with('R')) ready_since_[*index] = *time;  // it was preempted
  }
  const auto index = watched(leading_number(*next_id).value_or(-1));
  if (!index) return;
  const auto since = std::exchange(ready_since_[*index], std::nullopt);
  if (!since || *time - *since < kLeastReadyNs) return;
  spans.push_back({static_cast<SampledThread>(*index),
                   {*since, *time},
                   std::string(*left_name) + " (" + std::string(*left_id) + ")"});
}

}  // namespace xrunlab
