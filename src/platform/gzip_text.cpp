#include "xrunlab/platform/gzip_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace xrunlab {
namespace {

constexpr std::size_t kLongestCode = 15;  // bits
constexpr std::size_t kLiterals = 288;
constexpr std::size_t kDistances = 30;
constexpr std::size_t kEndOfBlock = 256;

/// Of numbers 257 to 285 a length, of numbers 0 to 29 a distance: its least value, and how many bits more.
struct Range {
  std::uint16_t base;
  std::uint8_t extra;
};

constexpr std::array<Range, 29> kLengthRanges{
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}}};
constexpr std::array<Range, kDistances> kDistanceRanges{
    {{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},     {9, 2},     {13, 2},
     {17, 3},    {25, 3},    {33, 4},    {49, 4},     {65, 5},     {97, 5},    {129, 6},   {193, 6},
     {257, 7},   {385, 7},   {513, 8},   {769, 8},    {1025, 9},   {1537, 9},  {2049, 10}, {3073, 10},
     {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}}};

/// Thrown and caught in this file: the bytes are no gzip.
struct Damaged {};

/// Bits, the lowest of each byte first.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t take(std::size_t count) {
    while (held_ < count) {
      value_ |= std::uint64_t{byte()} << held_;
      held_ += 8;
    }
    const auto bits = static_cast<std::uint32_t>(value_ & ((std::uint64_t{1} << count) - 1));
    value_ >>= count;
    held_ -= count;
    return bits;
  }
  void skip_to_byte() { take(held_ % 8); }
  void skip(std::size_t bytes) {
    for (; bytes > 0; --bytes) take(8);
  }

 private:
  std::uint8_t byte() {
    if (at_ == bytes_.size()) throw Damaged{};
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t value_ = 0;
  std::size_t held_ = 0;
};

/// A canonical Huffman code, given by the lengths of its words.
class HuffmanCode {
 public:
  explicit HuffmanCode(std::span<const std::uint8_t> lengths) {
    for (const auto length : lengths) ++counts_[length];
    counts_[0] = 0;
    std::array<std::uint16_t, kLongestCode + 1> places{};
    for (std::size_t length = 1; length < kLongestCode; ++length)
      places[length + 1] = static_cast<std::uint16_t>(places[length] + counts_[length]);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] > 0) symbols_[places[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
    }
  }

  /// Words of one length are numbers in order, so one walk tells length and word.
  std::size_t take(BitReader& bits) const {
    std::int32_t word = 0;
    std::int32_t first = 0;
    std::int32_t place = 0;
    for (std::size_t length = 1; length <= kLongestCode; ++length) {
      word |= static_cast<std::int32_t>(bits.take(1));
      const std::int32_t count = counts_[length];
      if (word - first < count) return symbols_[static_cast<std::size_t>(place + word - first)];
      place += count;
      first = (first + count) << 1;
      word <<= 1;
    }
    throw Damaged{};
  }

 private:
  std::array<std::uint16_t, kLongestCode + 1> counts_{};
  std::array<std::uint16_t, kLiterals> symbols_{};
};

struct BlockCodes {
  HuffmanCode literals;
  HuffmanCode distances;
};

BlockCodes fixed_codes() {
  std::array<std::uint8_t, kLiterals> literals{};
  for (std::size_t symbol = 0; symbol < kLiterals; ++symbol)
    literals[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
  std::array<std::uint8_t, kDistances> distances{};
  distances.fill(5);
  return {HuffmanCode(literals), HuffmanCode(distances)};
}

/// The codes of a block that brings its own: their lengths are packed by a third one.
BlockCodes own_codes(BitReader& bits) {
  constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
  const std::size_t literals = bits.take(5) + 257;
  const std::size_t distances = bits.take(5) + 1;
  const std::size_t packed = bits.take(4) + 4;
  if (literals > kLiterals || distances > kDistances) throw Damaged{};
  std::array<std::uint8_t, kOrder.size()> of_lengths{};
  for (std::size_t index = 0; index < packed; ++index)
    of_lengths[kOrder[index]] = static_cast<std::uint8_t>(bits.take(3));
  const HuffmanCode code(of_lengths);
  std::array<std::uint8_t, kLiterals + kDistances> lengths{};
  for (std::size_t at = 0; at < literals + distances;) {
    const std::size_t symbol = code.take(bits);
    if (symbol < 16) {
      lengths[at++] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    if (symbol == 16 && at == 0) throw Damaged{};
    const std::uint8_t repeated = symbol == 16 ? lengths[at - 1] : std::uint8_t{0};
    const std::size_t times = symbol == 16   ? 3 + bits.take(2)
                              : symbol == 17 ? 3 + bits.take(3)
                                             : 11 + bits.take(7);
    if (times > literals + distances - at) throw Damaged{};
    for (std::size_t time = 0; time < times; ++time) lengths[at++] = repeated;
  }
  const std::span<const std::uint8_t> all(lengths);
  return {HuffmanCode(all.first(literals)), HuffmanCode(all.subspan(literals, distances))};
}

class Inflater {
 public:
  Inflater(BitReader& bits, std::size_t most) : bits_(bits), most_(most) {}

  std::string run() {
    for (bool last = false; !last;) {
      last = bits_.take(1) == 1;
      switch (bits_.take(2)) {
        case 0:
          take_stored();
          break;
        case 1:
          take_coded(fixed_codes());
          break;
        case 2:
          take_coded(own_codes(bits_));
          break;
        default:
          throw Damaged{};
      }
    }
    return std::move(text_);
  }

 private:
  void put(char letter) {
    if (text_.size() == most_) throw Damaged{};
    text_ += letter;
  }

  void take_stored() {
    bits_.skip_to_byte();
    const std::uint32_t size = bits_.take(16);
    if ((size ^ bits_.take(16)) != 0xFFFF) throw Damaged{};
    for (std::uint32_t count = 0; count < size; ++count) put(static_cast<char>(bits_.take(8)));
  }

  void take_coded(const BlockCodes& codes) {
    for (;;) {
      const std::size_t symbol = codes.literals.take(bits_);
      if (symbol == kEndOfBlock) return;
      if (symbol < kEndOfBlock) {
        put(static_cast<char>(symbol));
        continue;
      }
      const std::size_t length = value_in(kLengthRanges, symbol - kEndOfBlock - 1);
      const std::size_t distance = value_in(kDistanceRanges, codes.distances.take(bits_));
      if (distance > text_.size()) throw Damaged{};
      for (std::size_t count = 0; count < length; ++count) put(text_[text_.size() - distance]);
    }
  }

  std::size_t value_in(std::span<const Range> ranges, std::size_t index) {
    if (index >= ranges.size()) throw Damaged{};
    return ranges[index].base + bits_.take(ranges[index].extra);
  }

  BitReader& bits_;
  std::size_t most_;
  std::string text_;
};

std::uint32_t crc32_of(std::string_view text) {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char letter : text) {
    crc ^= static_cast<std::uint8_t>(letter);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
  }
  return ~crc;
}

void skip_header(BitReader& bits) {
  constexpr std::uint32_t kMagic = 0x8B1F;
  constexpr std::uint32_t kDeflate = 8;
  if (bits.take(16) != kMagic || bits.take(8) != kDeflate) throw Damaged{};
  const std::uint32_t flags = bits.take(8);
  bits.skip(6);  // time, level, system
  const auto has = [flags](std::uint32_t flag) { return (flags & flag) != 0; };
  const auto skip_text = [&bits] {
    while (bits.take(8) != 0) {
    }
  };
  if (has(4)) bits.skip(bits.take(16));
  if (has(8)) skip_text();   // the file's name
  if (has(16)) skip_text();  // a comment
  if (has(2)) bits.skip(2);  // a checksum of the header
}

}  // namespace

std::optional<std::string> gunzip(std::string_view packed, std::size_t most) {
  try {
    BitReader bits(packed);
    skip_header(bits);
    std::string text = Inflater(bits, most).run();
    bits.skip_to_byte();
    if (bits.take(32) != crc32_of(text) || bits.take(32) != static_cast<std::uint32_t>(text.size()))
      return std::nullopt;
    return text;
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace xrunlab
