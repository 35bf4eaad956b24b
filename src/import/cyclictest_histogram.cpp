#include "xrunlab/import/cyclictest_histogram.hpp"

#include <algorithm>
#include <array>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kLeastDigits = 6;  // of a row's lateness and counts: "%06d"

[[noreturn]] void refuse_histogram(const std::string& source, const std::string& why) {
  throw Error(ExitCode::input_file, source + ": the histogram " + why,
              "import the whole of what cyclictest -h has printed");
}

/// Behind "# Total:"; nothing when it is another line.
std::string_view footer_name(std::string_view line) {
  static constexpr std::array<std::string_view, 5> kNames{"Total", "Min Latencies", "Avg Latencies",
                                                          "Max Latencies", "Histogram Overflows"};
  if (!line.starts_with("# ")) return {};
  line.remove_prefix(2);
  const auto name = line.substr(0, line.find(':'));
  return std::find(kNames.begin(), kNames.end(), name) == kNames.end() ? std::string_view{} : name;
}

/// Appends the numbers of a line that has nothing else.
bool append_numbers(std::string_view line, std::vector<std::int64_t>& numbers) {
  const auto before = numbers.size();
  TextCursor cursor(line);
  while (const auto number = cursor.take_whole()) numbers.push_back(*number);
  cursor.skip_blanks();
  if (cursor.rest().empty() && numbers.size() > before && numbers.back() >= 0) return true;
  numbers.resize(before);
  return false;
}

bool begins_row(std::string_view line) {
  const auto end = line.find_first_of(" \t");
  if (end == std::string_view::npos || end < kLeastDigits) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end), is_digit);
}

/// Whether `count` numbers from `first` on have the next one as their sum.
bool adds_up(const std::vector<std::int64_t>& numbers, std::size_t first, std::size_t count) {
  std::int64_t sum = 0;
  for (std::size_t index = first; index < first + count; ++index) {
    if (__builtin_add_overflow(sum, numbers[index], &sum)) return false;
  }
  return sum == numbers[first + count];
}

}  // namespace

bool CyclictestHistogram::take(std::string_view line) {
  // Numbers of cycles, as long as one likes; a mailer may break them into lines that look like rows.
  if (line.starts_with("# Thread ") && is_whole()) {
    current_ = &overflow_cycles_;
    return true;
  }
  if (current_ == &overflow_cycles_ && !line.empty() &&
      line.find_first_not_of("0123456789 \t#others") == std::string_view::npos)
    return true;  // "00012 00044 # 00005 others"
  if (const auto name = footer_name(line); !name.empty()) {
    current_ = &footers_[std::string(name)];
    append_numbers(line.substr(line.find(':') + 1), *current_);
    return true;
  }
  if (line.starts_with("# Histogram")) {
    current_ = nullptr;
    return true;
  }
  const bool continues = current_ != nullptr && !line.empty() && is_digit(line.front());
  if (!continues && !begins_row(line)) {
    if (!line.empty()) current_ = nullptr;
    return false;
  }
  if (current_ == nullptr) current_ = &rows_;
  return append_numbers(line, *current_);
}

const CyclictestHistogram::Numbers& CyclictestHistogram::footer(const char* name) const {
  static const Numbers none;
  const auto found = footers_.find(name);
  return found == footers_.end() ? none : found->second;
}

/// Numbers to a row: its lateness, one for each thread and, with --histofall, their sum.
std::size_t CyclictestHistogram::row_width(std::size_t threads, const std::string& source) const {
  for (const std::size_t width : {threads + 1, threads + 2}) {
    if (rows_.size() % width != 0) continue;
    bool fits = true;
    for (std::size_t row = 0; row < rows_.size() && fits; row += width) {
      fits = row == 0 || rows_[row] > rows_[row - width];
      if (width == threads + 2) fits = fits && adds_up(rows_, row + 1, threads);
    }
    if (fits) return width;
  }
  refuse_histogram(source, "has rows that are cut off");
}

CyclictestRound CyclictestHistogram::finish(const std::string& source) const {
  const auto& minima = footer("Min Latencies");
  const auto& averages = footer("Avg Latencies");
  const auto& maxima = footer("Max Latencies");
  const auto& overflows = footer("Histogram Overflows");
  const std::size_t threads = minima.size();
  if (threads == 0 || averages.size() < threads || maxima.size() < threads || overflows.size() < threads)
    refuse_histogram(source, "is cut off: a line of # Min Latencies to # Histogram Overflows is missing");
  const std::size_t width = row_width(threads, source);
  CyclictestRound round;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    std::int64_t cycles = overflows[thread];
    for (std::size_t row = 0; row < rows_.size(); row += width) {
      const std::int64_t count = rows_[row + 1 + thread];
      if (__builtin_add_overflow(cycles, count, &cycles)) refuse_histogram(source, "counts too much");
      if (count > 0) round.histogram[rows_[row]] += count;
    }
    round.threads.push_back({.index = static_cast<std::int64_t>(thread),
                             .cycles = cycles,
                             .min = minima[thread],
                             .average = static_cast<double>(averages[thread]),
                             .max = maxima[thread],
                             .overflow = overflows[thread]});
  }
  return round;
}

}  // namespace xrunlab
