// Reading the line formats of /proc: words, "Key: value" lines, CPU lists, the escapes of mountinfo. Pure
// functions, used by the readers in platform.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

/// The parts between separators; empty parts are kept.
std::vector<std::string_view> split_at(std::string_view text, char separator);

/// The words between blanks, tabs and newlines.
std::vector<std::string_view> split_words(std::string_view text);

/// The value behind "key" and a colon at the start of a line ("VmLck:\t 12 kB" gives "12 kB"); the first of
/// several. Nothing when no line has it.
std::optional<std::string_view> value_of(std::string_view text, std::string_view key);

/// The whole number at the start of `text` ("12 kB" gives 12); nothing when none is there or it does not fit.
std::optional<std::int64_t> leading_number(std::string_view text);

/// The same of the word at `index`; nothing when there are not so many.
std::optional<std::int64_t> number_at(const std::vector<std::string_view>& words, std::size_t index);

/// "0-2,5" as {0, 1, 2, 5}; nothing when it is not a list of CPUs below 65536. "" gives an empty list.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// The inverse: {0, 1, 2, 5} as "0-2,5". `cpus` is sorted.
std::string format_cpu_list(const std::vector<int>& cpus);

/// Mountinfo writes blank, tab, newline, backslash and '#' as \ooo: back to the bytes.
std::string unescape_octal(std::string_view text);

/// The file name in a path.
std::string base_name(std::string_view path);

}  // namespace xrunlab
