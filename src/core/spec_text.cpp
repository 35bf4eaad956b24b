#include "xrunlab/core/spec_text.hpp"

namespace xrunlab {
namespace {

/// Cuts the text up to the next separator off the front of `text`.
std::string_view take_until(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

SpecItem item_of(std::string_view part) {
  const auto equals = part.find('=');
  if (equals == std::string_view::npos) return {part, std::nullopt};
  return {part.substr(0, equals), part.substr(equals + 1)};
}

}  // namespace

SpecText cut_spec(std::string_view text) {
  SpecText spec;
  spec.kind = take_until(text, ':');
  spec.rest = text;
  bool first = true;
  while (!text.empty()) {
    const auto part = take_until(text, ',');
    if (first && part.find('=') == std::string_view::npos) {
      spec.subject = part;
    } else {
      spec.items.push_back(item_of(part));
    }
    first = false;
  }
  return spec;
}

std::optional<std::vector<std::string_view>> cut_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto start = text.find_first_not_of(" \t\n");
    if (start == std::string_view::npos) return words;
    text.remove_prefix(start);
    const char mark = text.front();
    const bool quoted = mark == '\'' || mark == '"';
    if (quoted) text.remove_prefix(1);
    const auto end = quoted ? text.find(mark) : text.find_first_of(" \t\n");
    if (quoted && end == std::string_view::npos) return std::nullopt;
    words.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace xrunlab
