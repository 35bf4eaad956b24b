// Fits text into 80 columns: how wide it is, how it is wrapped. Used by the reports that people read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

inline constexpr std::size_t kReportColumns = 80;

/// `text` with control characters and bytes that are not UTF-8 as "?": a file name must not drive a terminal.
std::string printable(std::string_view text);

/// Columns that printable text takes on a terminal: two for East Asian wide characters, none for combining
/// ones.
std::size_t display_columns(std::string_view text);

/// `text`, made printable, in lines of at most `columns`: broken at blanks, and within a word that is too
/// long. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// As much of `text`, made printable, as `columns` hold.
std::string cut_to(std::string_view text, std::size_t columns);

/// A line "label   text", the text wrapped at blanks to kReportColumns and indented as its first line; a word
/// that is too long is broken. `indent` is the column of the text. Ends in a newline. The text is made
/// printable.
std::string labelled(std::string_view label, std::size_t indent, std::string_view text);

/// A whole number in at most `columns` (5 or more) characters: exact while it fits, then "12.3M", "4.6E".
std::string compact_count(std::int64_t count, std::size_t columns);

}  // namespace xrunlab
