#include "xrunlab/import/jack_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kMostColumns = 64;
constexpr std::string_view kMarks = " \t()";

struct RowName {
  std::string_view label;  ///< how it begins
  JackLine row;
};

/// In the words of jack_test3, jack_test4 and of their first tables.
constexpr RowName kRowNames[] = {
    {"Total seconds ran", JackLine::seconds},
    {"Number of clients", JackLine::clients},
    {"Ports per client", JackLine::ports},
    {"Frames per buffer", JackLine::period_frames},
    {"Number of runs", JackLine::runs},
    {"Timeout Count", JackLine::timeout_count},
    {"Timeout Rate", JackLine::timeout_rate},
    {"Failure Rate", JackLine::timeout_rate},
    {"XRUN Count", JackLine::xrun_count},
    {"XRUN Rate", JackLine::xrun_rate},
    {"Driver Late Rate", JackLine::driver_late_rate},
    {"Delay Count (>spare time)", JackLine::spare_delay_count},
    {"Delay Rate (>spare time)", JackLine::spare_delay_rate},
    {"Delay Count (>", JackLine::long_delay_count},
    {"Delay Rate (>", JackLine::long_delay_rate},
    {"Delay Maximum", JackLine::delay_max_us},
    {"Maximum Delay", JackLine::delay_max_us},
    {"Cycle Maximum", JackLine::cycle_max_us},
    {"Maximum Process Cycle", JackLine::cycle_max_us},
    {"Average DSP Load", JackLine::dsp_load},
    {"Average CPU System Load", JackLine::cpu_system},
    {"Average CPU User Load", JackLine::cpu_user},
    {"Average CPU Nice Load", JackLine::cpu_nice},
    {"Average CPU I/O Wait Load", JackLine::cpu_iowait},
    {"Average CPU IRQ Load", JackLine::cpu_irq},
    {"Average CPU Soft-IRQ Load", JackLine::cpu_softirq},
    {"Average CPU Steal Load", JackLine::cpu_steal},
    {"Average Interrupt Rate", JackLine::interrupt_rate},
    {"Average Context-Switch Rate", JackLine::switch_rate},
    {"Failed Clients", JackLine::failed_clients},
};

/// `xrunlab jack` has it above its figures.
bool is_own_heading(std::string_view line) {
  const auto words = words_of(line);
  return words.size() == 3 && words[0] == "count" && words[1] == "95" && words[2] == "%";
}

/// The count that `xrunlab jack` prints behind a rate.
std::optional<JackLine> count_of(JackLine rate) {
  switch (rate) {
    case JackLine::timeout_rate:
      return JackLine::timeout_count;
    case JackLine::xrun_rate:
      return JackLine::xrun_count;
    case JackLine::driver_late_rate:
      return JackLine::driver_late_count;
    case JackLine::spare_delay_rate:
      return JackLine::spare_delay_count;
    case JackLine::long_delay_rate:
      return JackLine::long_delay_count;
    default:
      return std::nullopt;
  }
}

const RowName* row_of(std::string_view line) {
  const auto* const found = std::find_if(std::begin(kRowNames), std::end(kRowNames),
                                         [line](const RowName& row) { return line.starts_with(row.label); });
  return found == std::end(kRowNames) ? nullptr : found;
}

/// The numbers behind the dots; parentheses, units and the colon are passed over. A word that is no number
/// and no unit ends them.
std::vector<double> numbers_behind(std::string_view line, std::size_t label_size) {
  std::vector<double> numbers;
  line.remove_prefix(label_size);
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return numbers;
  line.remove_prefix(colon + 1);
  while (!line.empty()) {
    double value = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    const auto taken = static_cast<std::size_t>(rest - line.data());
    const bool ends =
        taken == line.size() || std::string_view(" \t()/%").find(line[taken]) != std::string_view::npos;
    if (is_digit(line.front()) && error == std::errc{} && ends && std::isfinite(value)) {
      numbers.push_back(value);
      line.remove_prefix(taken);
    } else {
      // Over one mark, or over the rest of a word, "/hour" or "usecs".
      const auto end = line.find_first_of(kMarks);
      line.remove_prefix(end == std::string_view::npos ? line.size() : std::max<std::size_t>(end, 1));
    }
  }
  return numbers;
}

/// Cut at two blanks and more: a title may hold one.
std::vector<std::string_view> titles_of(std::string_view line) {
  std::vector<std::string_view> titles;
  while (!(line = trimmed_line(line)).empty()) {
    const auto end = std::min({line.find("  "), line.find('\t'), line.size()});
    titles.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return titles;
}

bool is_rule(std::string_view line) {
  return line.empty() || line.find_first_not_of("-=*_ \t") == std::string_view::npos ||
         line.starts_with("***");
}

class TableReader {
 public:
  explicit TableReader(const std::string& source) : source_(source) {}

  void take(const ListingLine& line) {
    const auto* const row = row_of(line.text);
    if (row == nullptr) {
      if (is_rule(line.text)) return;
      take_other(line.text);
      return;
    }
    auto numbers = numbers_behind(line.text, row->label.size());
    if (numbers.empty()) return;
    const std::vector<double> behind(numbers.begin() + 1, numbers.end());
    if (own_) numbers.resize(1);
    if (numbers.size() > kMostColumns) refuse(line, "more than 64 columns");
    if (tables_.empty() || is_known(row->row) || !in_rows_) begin(row->row);
    in_rows_ = true;
    put(row->row, numbers, line);
    if (own_) take_own(row->row, behind, line);
    if (row->row == JackLine::long_delay_count || row->row == JackLine::long_delay_rate)
      table().long_delay_us = TextCursor(line.text.substr(row->label.size())).take_whole();
  }

  std::vector<JackTable> finish() { return std::move(tables_); }

 private:
  [[noreturn]] void refuse(const ListingLine& line, const std::string& why) const {
    throw Error(ExitCode::input_file, source_ + ": line " + std::to_string(line.number) + ": " + why);
  }

  JackTable& table() { return tables_.back(); }

  void take_other(std::string_view text) {
    heading_ = text;
    in_rows_ = false;
    own_ = is_own_heading(text);
    TextCursor cursor(text);
    if (!cursor.take("measured ")) return;
    cursor.skip_blanks();
    double seconds = 0;
    const auto rest = cursor.rest();
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), seconds);
    // Of more than a minute it tells no fractions: then it says nothing about the rates.
    const bool whole =
        error == std::errc{} && std::string_view(end, rest.data() + rest.size()).starts_with(" s,");
    own_seconds_ = whole ? std::optional(seconds) : std::nullopt;
  }

  /// `behind` the rate stand its count and its interval.
  void take_own(JackLine row, const std::vector<double>& behind, const ListingLine& line) {
    table().of_xrunlab = true;
    if (own_seconds_) put(JackLine::seconds, {*own_seconds_}, line);
    if (const auto count = count_of(row); count && !behind.empty()) put(*count, {behind.front()}, line);
  }

  bool is_known(JackLine row) {
    return std::any_of(table().columns.begin(), table().columns.end(),
                       [row](const JackColumn& column) { return column.figures.contains(row); });
  }

  /// Rows about the set-up come first; a heading between them and the figures ends no table.
  void begin(JackLine row) {
    const bool goes_on = !tables_.empty() && !is_known(row) && row > JackLine::runs &&
                         !is_known(JackLine::delay_max_us) && !is_known(JackLine::xrun_rate) &&
                         !is_known(JackLine::xrun_count);
    if (goes_on) return;
    tables_.emplace_back();
  }

  void put(JackLine row, const std::vector<double>& numbers, const ListingLine& line) {
    auto& columns = table().columns;
    if (columns.empty()) widen(1);
    if (columns.size() == 1 && numbers.size() > 1) widen(numbers.size());
    if (numbers.size() != 1 && numbers.size() != columns.size())
      refuse(line, std::to_string(numbers.size()) + " figures where there are " +
                       std::to_string(columns.size()) + " columns");
    for (std::size_t index = 0; index < columns.size(); ++index)
      columns[index].figures[row] = numbers.size() == 1 ? numbers.front() : numbers[index];
  }

  /// What one column has so far holds for all.
  void widen(std::size_t count) {
    auto& columns = table().columns;
    columns.resize(count, columns.empty() ? JackColumn{} : columns.front());
    const auto titles = titles_of(heading_);
    for (std::size_t index = 0; index < count; ++index)
      columns[index].title = titles.size() == count && count > 1 ? std::string(titles[index]) : std::string();
  }

  const std::string& source_;
  std::vector<JackTable> tables_;
  std::string_view heading_;
  bool in_rows_ = false;
  bool own_ = false;  ///< below the heading of `xrunlab jack`
  std::optional<double> own_seconds_;
};

}  // namespace

std::vector<JackTable> parse_jack_tables(const std::vector<ListingLine>& lines, const std::string& source) {
  TableReader reader(source);
  for (const auto& line : lines) reader.take(line);
  return reader.finish();
}

}  // namespace xrunlab
