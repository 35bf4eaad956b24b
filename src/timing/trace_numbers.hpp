// The numbers of a trace file: 1 to 10 bytes of 7 bits, lowest first; signed ones folded so that small ones
// are short. Used by the coding of events and of the chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xrunlab {

// Differences wrap: a damaged file must not lead into undefined overflow.
inline std::int64_t wrapping_add(std::int64_t left, std::int64_t right) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
}
inline std::int64_t wrapping_subtract(std::int64_t left, std::int64_t right) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) - static_cast<std::uint64_t>(right));
}

inline void put_number(std::vector<std::byte>& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::byte>((value & 0x7F) | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<std::byte>(value));
}

inline void put_difference(std::vector<std::byte>& out, std::int64_t left, std::int64_t right) {
  const std::int64_t value = wrapping_subtract(left, right);
  put_number(out, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

// A value from −1 on: −1, "none", takes one byte.
inline void put_optional_number(std::vector<std::byte>& out, std::int64_t value) {
  put_number(out, static_cast<std::uint64_t>(value) + 1);
}

/// Takes one number off the front of `rest`; 0, with `cut` set, when it does not end there.
inline std::uint64_t take_number(std::span<const std::byte>& rest, bool& cut) noexcept {
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < 10; ++at) {
    if (at == rest.size()) break;
    const auto byte = static_cast<std::uint64_t>(rest[at]);
    value |= (byte & 0x7F) << (7 * at);
    if ((byte & 0x80) == 0) {
      rest = rest.subspan(at + 1);
      return value;
    }
  }
  cut = true;
  return 0;
}

inline std::int64_t unfolded(std::uint64_t folded) noexcept {
  return static_cast<std::int64_t>((folded >> 1) ^ (~(folded & 1) + 1));
}

}  // namespace xrunlab
