// Stretches of time, and what lists of them have in common. Pure; used to tell how much of a fault each cause
// overlaps with.
#pragma once

#include <cstdint>
#include <vector>

namespace xrunlab {

/// From begin_ns up to end_ns, on one clock; empty when end_ns is not behind begin_ns.
struct Span {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

/// The same time in order and without overlaps or empty spans.
std::vector<Span> united(std::vector<Span> spans);

/// The time that is in both. Each list may be in any order and overlap itself.
std::vector<Span> common(const std::vector<Span>& left, const std::vector<Span>& right);

/// The time of `from` that is not in `taken`.
std::vector<Span> without(const std::vector<Span>& from, const std::vector<Span>& taken);

/// Time that is in any of them, counted once.
std::int64_t length_ns(const std::vector<Span>& spans);

}  // namespace xrunlab
