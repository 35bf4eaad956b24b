#include "xrunlab/disk/track_image.hpp"

#include <algorithm>
#include <cstring>

namespace xrunlab {

TrackImage::TrackImage(const SetSpec& spec, int track_index)
    : layout_(lay_out_container(spec.container, spec.format, spec.rate, spec.channels, spec.frames())),
      samples_(spec.signal, layout_.format, spec.rate, spec.channels, track_index, spec.seed) {}

void TrackImage::read(std::span<std::byte> out) {
  const auto header_bytes = static_cast<Bytes>(layout_.header.size());
  const auto take = [&](Bytes available) {
    const auto count = std::min(static_cast<std::size_t>(std::max<Bytes>(available, 0)), out.size());
    const auto part = out.first(count);
    out = out.subspan(count);
    position_ += static_cast<Bytes>(count);
    return part;
  };
  const auto header_at = static_cast<std::size_t>(std::min(position_, header_bytes));
  if (const auto part = take(header_bytes - position_); !part.empty()) {
    std::memcpy(part.data(), layout_.header.data() + header_at, part.size());
  }
  samples_.read(take(header_bytes + layout_.data_bytes - position_));
  std::fill(out.begin(), out.end(), std::byte{0});
  position_ += static_cast<Bytes>(out.size());
}

}  // namespace xrunlab
