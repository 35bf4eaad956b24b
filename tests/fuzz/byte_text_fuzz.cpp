// File names are any bytes: in JSON they come back as they were, in messages they are one line of plain text.

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/model/byte_text.hpp"

namespace xrunlab::fuzz::byte_text {

std::vector<std::string> seeds() {
  return {"track-001.wav",
          "caf\xe9.wav",
          "\xef\xbf\xbd"
          "E9",
          "\xef\xbf\xbd"
          "e",
          "a\nb\tc\\d\x1b[2J",
          "\xe2\x80\xae\xe2\x80\xa8",
          "\xed\xa0\x80",
          "\xf4\x90\x80\x80",
          "\xc0\xaf",
          std::string("\0\x7f\xc2\x85", 4)};
}

void run(const std::uint8_t* data, std::size_t size) {
  const AllocationLimit limit(4096 + 64 * size);
  const std::string bytes(text_of(data, size));
  const std::string escaped = escape_bytes(bytes);
  require(unescape_bytes(escaped) == bytes, "bytes do not come back");
  const std::string shown = printable_text(bytes);
  for (const char letter : shown) {
    require(static_cast<unsigned char>(letter) >= 0x20 && letter != 0x7f, "a control character in a line");
  }
  require(printable_text(escaped).find('\n') == std::string::npos, "more than one line");
}

const Registered registered{{"byte_text", seeds, run}};

}  // namespace xrunlab::fuzz::byte_text
