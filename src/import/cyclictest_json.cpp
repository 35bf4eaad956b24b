#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/import/cyclictest.hpp"

namespace xrunlab {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostThreads = 65'536;

[[noreturn]] void refuse_json(const std::string& source, const std::string& why) {
  throw Error(ExitCode::input_file, source + ": " + why, "import what cyclictest --json=FILE has written");
}

/// rt-tests writes "cmdline:": the colon is a part of its key.
const Json* find_key(const Json& object, const std::string& key) {
  if (!object.is_object()) return nullptr;
  for (const auto& name : {key, key + ":"}) {
    const auto found = object.find(name);
    if (found != object.end()) return &*found;
  }
  return nullptr;
}

std::string text_at(const Json& object, const std::string& key) {
  const auto* const value = find_key(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<std::int64_t> whole_at(const Json& object, const std::string& key) {
  const auto* const value = find_key(object, key);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  if (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return value->get<std::int64_t>();
}

/// "Fri, 28 Aug 2026 00:00:00 -0500" as UTC in RFC 3339; empty when it is no such date.
std::string utc_of(const std::string& text) {
  static constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto words = words_of(text);
  if (words.size() != 6) return {};
  const auto clock = words[4];
  const auto zone = words[5];
  if (clock.size() != 8 || zone.size() != 5 || (zone[0] != '+' && zone[0] != '-')) return {};
  bool in_range = true;
  const auto number = [&in_range](std::string_view digits, std::int64_t most) {
    const auto value = TextCursor(digits).take_whole().value_or(-1);
    in_range = in_range && value >= 0 && value <= most;
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, most));
  };
  const auto month = std::find(kMonths.begin(), kMonths.end(), words[2]) - kMonths.begin() + 1;
  const std::chrono::year_month_day date{std::chrono::year(number(words[3], 9999)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(number(words[1], 31)))};
  const auto of_day = std::chrono::hours(number(clock.substr(0, 2), 23)) +
                      std::chrono::minutes(number(clock.substr(3, 2), 59)) +
                      std::chrono::seconds(number(clock.substr(6, 2), 60));
  const auto ahead =
      std::chrono::hours(number(zone.substr(1, 2), 14)) + std::chrono::minutes(number(zone.substr(3, 2), 59));
  if (!date.ok() || !in_range) return {};
  const auto time = std::chrono::sys_days(date) + of_day - (zone[0] == '-' ? -1 : 1) * ahead;
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day utc(day);
  const auto seconds = (time - day).count();
  std::array<char, 40> shown;
  std::snprintf(shown.data(), shown.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(utc.year()),
                static_cast<unsigned>(utc.month()), static_cast<unsigned>(utc.day()),
                static_cast<int>(seconds / 3600), static_cast<int>(seconds / 60 % 60),
                static_cast<int>(seconds % 60));
  return shown.data();
}

void take_system(const Json& json, ListingFacts& facts) {
  const auto put = [&facts](const char* name, const std::string& value) {
    if (!value.empty()) facts[name] = value;
  };
  put("cmdline", text_at(json, "cmdline"));
  put("version", text_at(json, "rt_test_version"));
  put("start", utc_of(text_at(json, "start_time")));
  put("end", utc_of(text_at(json, "end_time")));
  const auto* const system = find_key(json, "sysinfo");
  if (system == nullptr) return;
  put("host", text_at(*system, "nodename"));
  const auto version = text_at(*system, "version");
  put("kernel", text_at(*system, "release") + (version.empty() ? "" : " " + version));
  if (!version.empty()) put("preempt", preemption_in(version));
  if (whole_at(*system, "realtime") == 1) put("preempt", "rt");
}

/// Adds a thread's histogram; returns how many wake-ups stand in it.
std::int64_t take_histogram(const Json& thread, const std::string& source,
                            std::map<std::int64_t, std::int64_t>& histogram) {
  std::int64_t counted = 0;
  const auto* const rows = find_key(thread, "histogram");
  if (rows == nullptr || !rows->is_object()) return 0;
  for (const auto& [key, value] : rows->items()) {
    TextCursor cursor(key);
    const auto lateness = cursor.take_whole();
    const auto count = value.is_number_unsigned() ? value.get<std::uint64_t>() : UINT64_MAX;
    if (!lateness || *lateness < 0 || !cursor.rest().empty() ||
        __builtin_add_overflow(counted, count, &counted))
      refuse_json(source, "a row of its histogram is none");
    if (count > 0) histogram[*lateness] += static_cast<std::int64_t>(count);
  }
  return counted;
}

CyclictestThread thread_of(const Json& json, const std::string& key, const std::string& source,
                           std::map<std::int64_t, std::int64_t>& histogram) {
  CyclictestThread thread;
  TextCursor cursor(key);
  const auto index = cursor.take_whole();
  if (!index || !cursor.rest().empty()) refuse_json(source, "a thread without a number");
  thread.index = *index;
  thread.cycles = whole_at(json, "cycles");
  thread.min = whole_at(json, "min");
  thread.max = whole_at(json, "max");
  const auto* const average = find_key(json, "avg");
  if (average != nullptr && average->is_number() && std::isfinite(average->get<double>()))
    thread.average = average->get<double>();
  if (!thread.cycles || !thread.max) refuse_json(source, "a thread without cycles or max");
  if (*thread.cycles < 0 || (thread.min && *thread.cycles > 0 && *thread.min > *thread.max))
    refuse_json(source, "the figures of a thread contradict each other");
  const auto counted = take_histogram(json, source, histogram);
  if (counted > *thread.cycles) refuse_json(source, "a histogram with more wake-ups than there were");
  if (counted > 0) thread.overflow = *thread.cycles - counted;
  return thread;
}

}  // namespace

CyclictestListing parse_cyclictest_json(std::string_view text, const std::string& source) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse_json(source, "is not JSON, or cut off");
  const auto* const threads = find_key(json, "thread");
  if (threads == nullptr || !threads->is_object() || threads->empty() || threads->size() > kMostThreads)
    refuse_json(source, "there is no thread of cyclictest in it");
  CyclictestListing listing;
  take_system(json, listing.facts);
  listing.nanoseconds = whole_at(json, "resolution_in_ns").value_or(0) == 1;
  auto& round = listing.rounds.emplace_back();
  for (const auto& [key, thread] : threads->items())
    round.threads.push_back(thread_of(thread, key, source, round.histogram));
  // Keys of JSON are sorted as text.
  std::sort(round.threads.begin(), round.threads.end(),
            [](const auto& left, const auto& right) { return left.index < right.index; });
  return listing;
}

}  // namespace xrunlab
