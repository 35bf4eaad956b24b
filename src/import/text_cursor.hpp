// Reads numbers and words off the front of a piece of text. Used by the parsers of this room.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace xrunlab {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }

  void skip_blanks() {
    const auto start = rest_.find_first_not_of(" \t\n");
    rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start);
  }

  /// Passes over blanks and `word`; nothing is taken where it does not follow.
  bool take(std::string_view word) {
    TextCursor ahead = *this;
    ahead.skip_blanks();
    if (!ahead.rest_.starts_with(word)) return false;
    rest_ = ahead.rest_.substr(word.size());
    return true;
  }

  /// A whole number behind blanks; nothing is taken where none is or where it does not fit.
  std::optional<std::int64_t> take_whole() {
    TextCursor ahead = *this;
    ahead.skip_blanks();
    std::int64_t value = 0;
    const char* const begin = ahead.rest_.data();
    const auto [end, error] = std::from_chars(begin, begin + ahead.rest_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    rest_ = ahead.rest_.substr(static_cast<std::size_t>(end - begin));
    return value;
  }

 private:
  std::string_view rest_;
};

inline std::string_view trimmed_line(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The words between blanks.
inline std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto start = text.find_first_not_of(" \t"); start != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(" \t", start), text.size());
    words.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(" \t", end);
  }
  return words;
}

inline bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

}  // namespace xrunlab
