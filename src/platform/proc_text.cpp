#include "xrunlab/platform/proc_text.hpp"

#include <algorithm>
#include <charconv>

namespace xrunlab {
namespace {

constexpr std::string_view kBlanks = " \t\n";
constexpr int kMaxCpu = 65535;  // a guard against absurd ranges; kernels stop at 8192

std::optional<int> cpu_number(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < 0 || value > kMaxCpu) return std::nullopt;
  return value;
}

bool is_octal(char digit) {
  return digit >= '0' && digit <= '7';
}

}  // namespace

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto start = text.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) return words;
    text.remove_prefix(start);
    const auto end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<std::string_view> value_of(std::string_view text, std::string_view key) {
  for (std::string_view line : split_at(text, '\n')) {
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const auto colon = line.find_first_not_of(" \t");
    if (colon == std::string_view::npos || line[colon] != ':') continue;
    line.remove_prefix(colon + 1);
    const auto start = line.find_first_not_of(" \t");
    return start == std::string_view::npos ? std::string_view{} : line.substr(start);
  }
  return std::nullopt;
}

std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::optional<std::int64_t> number_at(const std::vector<std::string_view>& words, std::size_t index) {
  return index < words.size() ? leading_number(words[index]) : std::nullopt;
}

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  if (text.empty()) return cpus;
  for (const std::string_view range : split_at(text, ',')) {
    const auto dash = range.find('-');
    const auto first = cpu_number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : cpu_number(range.substr(dash + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    // Ranges over and over again would be worth more memory than their text.
    if (cpus.size() + static_cast<std::size_t>(*last - *first) > kMaxCpu) return std::nullopt;
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string format_cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[first]);
    if (last > first) text += '-' + std::to_string(cpus[last]);
    first = last + 1;
  }
  return text;
}

std::string unescape_octal(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t index = 0; index < text.size(); ++index) {
    const bool escaped = text[index] == '\\' && index + 3 < text.size() && is_octal(text[index + 1]) &&
                         is_octal(text[index + 2]) && is_octal(text[index + 3]);
    if (!escaped) {
      plain += text[index];
      continue;
    }
    plain += static_cast<char>((text[index + 1] - '0') * 64 + (text[index + 2] - '0') * 8 +
                               (text[index + 3] - '0'));
    index += 3;
  }
  return plain;
}

std::string base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

}  // namespace xrunlab
