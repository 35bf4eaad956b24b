#include "xrunlab/import/timer_listing.hpp"

#include <cmath>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {
namespace {

constexpr int kNanosecondDigits = 9;

/// "0.000395750" of `unit_ns` as whole nanoseconds; what is below is rounded.
std::optional<std::int64_t> take_decimal(TextCursor& cursor, std::int64_t unit_ns) {
  const auto whole = cursor.take_whole();
  if (!whole || *whole < 0 || *whole > INT64_MAX / unit_ns - 1) return std::nullopt;
  std::int64_t billionths = 0;
  bool round_up_last = false;
  if (cursor.rest().starts_with('.')) {
    cursor.take(".");
    int digits = 0;
    while (!cursor.rest().empty() && is_digit(cursor.rest().front())) {
      const int digit = cursor.rest().front() - '0';
      if (digits < kNanosecondDigits) billionths = billionths * 10 + digit;
      if (digits == kNanosecondDigits) round_up_last = digit >= 5;
      ++digits;
      cursor.take(cursor.rest().substr(0, 1));
    }
    for (; digits < kNanosecondDigits; ++digits) billionths *= 10;
  }
  if (round_up_last) ++billionths;
  return *whole * unit_ns +
         static_cast<std::int64_t>((Int128{billionths} * unit_ns + kNsPerSecond / 2) / kNsPerSecond);
}

/// "Timer-2:" is 1; −1 for any other line.
int timer_index(std::string_view line) {
  if (!line.starts_with("Timer-") || line.size() != 8 || line[7] != ':' || line[6] < '1' || line[6] > '3')
    return -1;
  return line[6] - '1';
}

/// "Events over bound: 3 (0.02321900sec)"
void take_events(TextCursor cursor, std::optional<std::int64_t>& events,
                 std::optional<std::int64_t>& bound_ns) {
  events = cursor.take_whole();
  if (cursor.take("(")) {
    const auto bound = take_decimal(cursor, kNsPerSecond);
    if (bound) bound_ns = bound;
  }
}

bool take_duration(TextCursor cursor, const char* name, std::optional<std::int64_t>& duration_ns) {
  if (!cursor.take(name)) return false;
  if (cursor.take("duration in seconds:")) {
    duration_ns = take_decimal(cursor, kNsPerSecond);
  } else if (cursor.take("duration, us:")) {
    duration_ns = take_decimal(cursor, 1000);
  }
  return true;
}

void take_figure(std::string_view line, TimerBlock& block) {
  TextCursor cursor(line);
  if (cursor.take("Number of events:")) {
    block.count = cursor.take_whole();
  } else if (cursor.take("Events over bound:")) {
    take_events(cursor, block.over, block.bound_ns);
  } else if (cursor.take("Events under bound:")) {
    std::optional<std::int64_t> lower_bound_ns;
    take_events(cursor, block.under, lower_bound_ns);
  } else if (!take_duration(cursor, "Min", block.min_ns) && !take_duration(cursor, "Max", block.max_ns)) {
    take_duration(cursor, "Average", block.average_ns);
  }
}

void check_block(const TimerBlock& block, int timer, const std::string& source) {
  const std::string name = source + ": Timer-" + std::to_string(timer + 1);
  if (!block.count || !block.max_ns)
    throw Error(ExitCode::input_file, name + " is cut off: without Number of events or Max duration");
  const auto over = block.over.value_or(0);
  const auto under = block.under.value_or(*block.count - over);
  const auto least = block.min_ns.value_or(0);
  const auto average = block.average_ns.value_or(*block.max_ns);
  const bool counts_fit = over >= 0 && under >= 0 && over <= *block.count && *block.count - over == under;
  if (counts_fit && least <= average && average <= *block.max_ns) return;
  throw Error(ExitCode::input_file, name + ": its figures contradict each other");
}

}  // namespace

std::vector<TimerListing> parse_timer_listings(const std::vector<ListingLine>& lines,
                                               const std::string& source) {
  std::vector<TimerListing> listings;
  TimerBlock* block = nullptr;
  for (const auto& line : lines) {
    const int timer = timer_index(line.text);
    if (timer >= 0) {
      const auto place = static_cast<std::size_t>(timer);
      if (listings.empty() || listings.back()[place]) listings.emplace_back();
      block = &listings.back()[place].emplace();
    } else if (block != nullptr) {
      take_figure(line.text, *block);
    }
  }
  for (const auto& listing : listings) {
    for (int timer = 0; timer < 3; ++timer) {
      const auto& known = listing[static_cast<std::size_t>(timer)];
      if (known) check_block(*known, timer, source);
    }
  }
  return listings;
}

}  // namespace xrunlab
