#include "tests/fuzz/mutation.hpp"

#include <array>
#include <cstdint>

namespace xrunlab::fuzz {
namespace {

constexpr std::size_t kMostBytes = 64 * 1024;

// std's distributions differ between libraries; the slight bias of the remainder does no harm.
std::size_t below(std::size_t limit, std::mt19937_64& random) {
  return limit == 0 ? 0 : static_cast<std::size_t>(random() % limit);
}

char any_byte(std::mt19937_64& random) {
  return static_cast<char>(random() & 0xff);
}

/// Overwrites 1, 2, 4 or 8 bytes with a number in whose neighbourhood sizes and counts go wrong.
void set_number(std::string& input, std::mt19937_64& random) {
  constexpr std::array<std::uint64_t, 14> kEdges{0,
                                                 1,
                                                 2,
                                                 16,
                                                 0x7f,
                                                 0xff,
                                                 0x7fff,
                                                 0xffff,
                                                 0x7fff'f000,
                                                 0x7fff'ffff,
                                                 0xffff'ffff,
                                                 0x1'0000'0000,
                                                 0x7fff'ffff'ffff'ffff,
                                                 0xffff'ffff'ffff'ffff};
  const std::size_t width = std::size_t{1} << below(4, random);
  if (input.size() < width) return;
  const std::uint64_t value = kEdges[below(kEdges.size(), random)] + below(3, random) - 1;
  const bool big_endian = below(2, random) == 0;
  const std::size_t at = below(input.size() - width + 1, random);
  for (std::size_t index = 0; index < width; ++index) {
    const std::size_t shift = 8 * (big_endian ? width - 1 - index : index);
    input[at + index] = static_cast<char>(value >> shift & 0xff);
  }
}

/// A piece of `from` put into `input`, over what is there or between it.
void put_piece(std::string& input, const std::string& from, std::mt19937_64& random) {
  if (from.empty()) return;
  const std::size_t start = below(from.size(), random);
  const std::string piece =
      from.substr(start, 1 + below(std::min<std::size_t>(from.size() - start, 64), random));
  const std::size_t at = below(input.size() + 1, random);
  if (below(2, random) == 0) {
    input.insert(at, piece);
  } else {
    input.replace(at, piece.size(), piece);
  }
}

void change(std::string& input, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  const std::size_t at = below(input.size(), random);
  switch (below(9, random)) {
    case 0:
      if (!input.empty()) input[at] = static_cast<char>(input[at] ^ (1 << below(8, random)));
      break;
    case 1:
      if (!input.empty()) input[at] = any_byte(random);
      break;
    case 2:
    case 3:
      set_number(input, random);
      break;
    case 4:
      input.insert(at, 1 + below(16, random), any_byte(random));
      break;
    case 5:
      input.erase(at, 1 + below(std::min<std::size_t>(input.size(), 32), random));
      break;
    case 6:
      input.resize(below(input.size() + 1, random));
      break;
    case 7:
      put_piece(input, std::string(input), random);
      break;
    default:
      put_piece(input, corpus[below(corpus.size(), random)], random);
      break;
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  std::string input = corpus[below(corpus.size(), random)];
  for (std::size_t left = 1 + below(8, random); left > 0; --left) change(input, corpus, random);
  if (input.size() > kMostBytes) input.resize(kMostBytes);
  return input;
}

}  // namespace xrunlab::fuzz
