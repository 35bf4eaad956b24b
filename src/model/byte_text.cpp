#include "xrunlab/model/byte_text.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace xrunlab {
namespace {

constexpr std::string_view kMark = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kHexDigits = "0123456789ABCDEF";

unsigned byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

/// Length of the well-formed UTF-8 sequence in front (RFC 3629: no surrogates, no overlong forms), 0 if none.
std::size_t sequence_length(std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned least = 0x80;  // of the second byte
  unsigned most = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (lead == 0xE0) least = 0xA0;
  if (lead == 0xED) most = 0x9F;
  if (lead == 0xF0) least = 0x90;
  if (lead == 0xF4) most = 0x8F;
  if (length == 0 || bytes.size() < length) return 0;
  if (byte_at(bytes, 1) < least || byte_at(bytes, 1) > most) return 0;
  for (std::size_t index = 2; index < length; ++index) {
    if ((byte_at(bytes, index) & 0xC0) != 0x80) return 0;
  }
  return length;
}

void append_escaped(std::string& text, unsigned byte) {
  text += kMark;
  text += kHexDigits[byte >> 4];
  text += kHexDigits[byte & 15];
}

}  // namespace

std::string escape_bytes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    std::size_t length = sequence_length(bytes);
    if (length == 0 || bytes.starts_with(kMark)) {
      length = 1;
      append_escaped(text, byte_at(bytes, 0));
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

std::string unescape_bytes(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    const std::string_view digits = text.substr(std::min(text.size(), kMark.size()), 2);
    const bool escaped = text.starts_with(kMark) && digits.size() == 2 &&
                         digits.find_first_not_of(kHexDigits) == std::string_view::npos;
    if (escaped) {
      bytes += static_cast<char>(kHexDigits.find(digits[0]) * 16 + kHexDigits.find(digits[1]));
      text.remove_prefix(kMark.size() + 2);
    } else {
      bytes += text.front();
      text.remove_prefix(1);
    }
  }
  return bytes;
}

std::string shown_bytes(std::string_view bytes) {
  const nlohmann::json text = escape_bytes(bytes);
  std::string shown = text.dump(-1, ' ', true);
  shown.front() = shown.back() = '\'';
  return shown;
}

}  // namespace xrunlab
