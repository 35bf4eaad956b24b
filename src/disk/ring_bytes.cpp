#include "xrunlab/disk/ring_bytes.hpp"

#include <algorithm>

namespace xrunlab {

void RingBytes::settle() noexcept {
  const Bytes there = std::min(owed_, ring_.fill().bytes);
  if (there <= 0) return;
  ring_.consume(static_cast<std::size_t>(there));
  owed_ -= there;
}

Bytes RingBytes::read(std::byte* out, Bytes size) noexcept {
  settle();
  if (owed_ > 0) return 0;
  const Bytes count = std::min({size, ring_.fill().bytes, pass_bytes_ - position_});
  if (count <= 0) return 0;
  ring_.copy_out(out, static_cast<std::size_t>(count));
  position_ += count;
  taken_ += count;
  return count;
}

void RingBytes::skip(Bytes size) noexcept {
  position_ += size;
  taken_ += size;
  owed_ += size;
  settle();
}

void RingBytes::begin_next_pass() noexcept {
  skip(pass_bytes_ - position_);
  position_ = 0;
}

bool RingBytes::holds(Bytes size) noexcept {
  settle();
  const auto fill = ring_.fill();
  if (fill.end != RingEnd::open) return true;
  // A full ring has one block that is being emptied and one that may begin late.
  const Bytes full = (static_cast<Bytes>(ring_.block_count()) - 2) * static_cast<Bytes>(ring_.block_bytes());
  return fill.bytes - owed_ >= std::min({size, pass_bytes_ - position_, full});
}

}  // namespace xrunlab
