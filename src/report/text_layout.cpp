#include "xrunlab/report/text_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

struct CodePoint {
  std::uint32_t value;
  std::size_t bytes;  ///< 0: not UTF-8
};

/// The code point in front of `text`, which is not empty.
CodePoint decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {0, 0};
  std::uint32_t value = lead & (0xFFu >> (bytes + 1));
  for (std::size_t index = 1; index < bytes; ++index) {
    const auto next = static_cast<unsigned char>(text[index]);
    if ((next & 0xC0) != 0x80) return {0, 0};
    value = value << 6 | (next & 0x3Fu);
  }
  return {value, bytes};
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

bool lies_in(std::uint32_t value, auto& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [value](const Range& range) { return value >= range.first && value <= range.last; });
}

/// The blocks of Unicode's East Asian Width W and F, and of combining marks, that file names hold.
std::size_t columns_of(std::uint32_t value) {
  static constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                               {0x2E80, 0xA4CF},
                                               {0xAC00, 0xD7A3},
                                               {0xF900, 0xFAFF},
                                               {0xFE30, 0xFE6F},
                                               {0xFF00, 0xFF60},
                                               {0xFFE0, 0xFFE6},
                                               {0x1F300, 0x1FAFF},
                                               {0x20000, 0x3FFFD}}};
  static constexpr std::array<Range, 4> kCombining{
      {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
  if (lies_in(value, kCombining)) return 0;
  return lies_in(value, kWide) ? 2 : 1;
}

/// Bytes of the longest start of `text` that takes at most `columns`; at least one character.
std::size_t bytes_within(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  std::size_t taken = 0;
  while (bytes < text.size()) {
    const auto point = decode(text.substr(bytes));
    taken += columns_of(point.value);
    if (taken > columns && bytes > 0) break;
    bytes += std::max<std::size_t>(1, point.bytes);
  }
  return bytes;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto point = decode(text);
    const bool control = point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0);
    // Directional marks would reorder the line around them.
    const bool directional =
        (point.value >= 0x202A && point.value <= 0x202E) || (point.value >= 0x2066 && point.value <= 0x2069);
    const std::size_t bytes = std::max<std::size_t>(1, point.bytes);
    result += point.bytes == 0 || control || directional ? "?" : text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return result;
}

std::size_t display_columns(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const auto point = decode(text);
    columns += point.bytes == 0 ? 1 : columns_of(point.value);
    text.remove_prefix(std::max<std::size_t>(1, point.bytes));
  }
  return columns;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  const std::string clean = printable(text);
  std::vector<std::string> lines(1);
  std::size_t taken = 0;
  for (std::string_view rest = clean; !rest.empty();) {
    const auto blank = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, blank);
    rest.remove_prefix(std::min(blank + 1, rest.size()));
    while (!word.empty()) {
      const bool fits = taken + (taken > 0 ? 1 : 0) + display_columns(word) <= columns;
      if (taken > 0 && !fits) {
        lines.emplace_back();
        taken = 0;
      }
      if (taken > 0) lines.back() += ' ';
      const auto piece = word.substr(0, bytes_within(word, columns));
      lines.back() += piece;
      taken += display_columns(piece) + (taken > 0 ? 1 : 0);
      word.remove_prefix(piece.size());
    }
  }
  return lines;
}

std::string cut_to(std::string_view text, std::size_t columns) {
  std::string clean = printable(text);
  if (display_columns(clean) > columns) clean.resize(bytes_within(clean, columns));
  return clean;
}

std::string labelled(std::string_view label, std::size_t indent, std::string_view text) {
  std::string lines(label);
  lines.resize(std::max(lines.size(), indent), ' ');
  bool first = true;
  for (const auto& line : wrapped(text, kReportColumns - indent)) {
    if (!first) lines.append(1, '\n').append(indent, ' ');
    lines += line;
    first = false;
  }
  while (lines.ends_with(' ')) lines.pop_back();
  return lines + "\n";
}

std::string compact_count(std::int64_t count, std::size_t columns) {
  std::string exact = std::to_string(count);
  if (exact.size() <= columns) return exact;
  static constexpr std::array kPrefixes{"k", "M", "G", "T", "P", "E"};
  auto value = static_cast<double>(count);
  std::size_t index = 0;
  for (value /= 1000; std::fabs(value) >= 999.5 && index + 1 < kPrefixes.size(); ++index) value /= 1000;
  return fixed(value, std::fabs(value) < 9.95 ? 1 : 0) + kPrefixes[index];
}

}  // namespace xrunlab
