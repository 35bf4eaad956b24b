#include "xrunlab/disk/printable_name.hpp"

#include <cstdint>

namespace xrunlab {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  ///< 0: no valid UTF-8 here
};

std::uint8_t byte_at(const std::string& bytes, std::size_t index) {
  return static_cast<std::uint8_t>(bytes[index]);
}

Character decode(const std::string& bytes, std::size_t start) {
  const std::uint8_t lead = byte_at(bytes, start);
  if (lead < 0x80) return {lead, 1};
  std::size_t size = 0;
  if (lead >= 0xc2 && lead <= 0xdf) size = 2;
  if (lead >= 0xe0 && lead <= 0xef) size = 3;
  if (lead >= 0xf0 && lead <= 0xf4) size = 4;
  if (size == 0 || start + size > bytes.size()) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (std::size_t index = 1; index < size; ++index) {
    const std::uint8_t next = byte_at(bytes, start + index);
    if ((next & 0xc0) != 0x80) return {};
    code = (code << 6) | (next & 0x3fU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[size] || code > 0x10ffff || surrogate) return {};
  return {code, size};
}

/// Control characters, line separators and those that change the direction of the text around them.
bool breaks_a_line(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == '\\' || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

void append_escaped(std::string& text, std::uint8_t byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  if (byte == '\n') {
    text += "\\n";
  } else if (byte == '\t') {
    text += "\\t";
  } else if (byte == '\\') {
    text += "\\\\";
  } else {
    text += "\\x";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
}

}  // namespace

std::string printable_text(const std::string& bytes) {
  std::string text;
  std::size_t index = 0;
  while (index < bytes.size()) {
    const Character character = decode(bytes, index);
    const std::size_t size = character.size == 0 ? 1 : character.size;
    if (character.size != 0 && !breaks_a_line(character.code)) {
      text.append(bytes, index, size);
    } else {
      for (std::size_t part = 0; part < size; ++part) append_escaped(text, byte_at(bytes, index + part));
    }
    index += size;
  }
  return text;
}

std::string quoted_text(const std::string& bytes) {
  std::string text(1, '\'');
  text += printable_text(bytes);
  text += '\'';
  return text;
}

std::string printable_name(const std::filesystem::path& path) {
  const auto name = path.filename();
  return printable_text(name.empty() ? path.string() : name.string());
}

}  // namespace xrunlab
