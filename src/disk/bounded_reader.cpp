#include "xrunlab/disk/bounded_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

void BoundedReader::refuse(const std::string& what, const std::string& remedy) const {
  throw Error(ExitCode::input_file, name_ + ": " + what, remedy);
}

void BoundedReader::fill_window(Bytes offset, Bytes count) {
  window_start_ = offset;
  window_size_ = 0;
  const Bytes wanted = std::min(kPageBytes, size_ - offset);
  while (window_size_ < count) {
    const ssize_t got = ::pread(fd_, window_.data() + window_size_,
                                static_cast<std::size_t>(wanted - window_size_), offset + window_size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      refuse("cannot read byte " + std::to_string(offset) + ": " + errno_text(errno),
             "its disk, the cable or the file system fails: see dmesg");
    }
    if (got == 0) {
      refuse("ended at byte " + std::to_string(offset + window_size_) + " while it was opened",
             "play it when nothing writes to it");
    }
    window_size_ += got;
  }
}

void BoundedReader::read(Bytes offset, std::span<std::byte> out) {
  const auto count = static_cast<Bytes>(out.size());
  if (!holds(offset, count) || count > kPageBytes) {
    refuse("the header is cut off: the file ends at byte " + std::to_string(size_));
  }
  if (count == 0) return;
  if (fd_ < 0) {
    std::memcpy(out.data(), memory_.data() + offset, out.size());
    return;
  }
  const bool in_window = offset >= window_start_ && offset + count <= window_start_ + window_size_;
  if (!in_window) fill_window(offset, count);
  std::memcpy(out.data(), window_.data() + (offset - window_start_), out.size());
}

std::uint64_t BoundedReader::number(Bytes offset, int bytes, ByteOrder order) {
  std::array<std::byte, 8> raw{};
  read(offset, std::span(raw).first(static_cast<std::size_t>(bytes)));
  std::uint64_t value = 0;
  for (int index = 0; index < bytes; ++index) {
    const int from = order == ByteOrder::big ? index : bytes - 1 - index;
    value = (value << 8) | std::to_integer<std::uint64_t>(raw[static_cast<std::size_t>(from)]);
  }
  return value;
}

std::uint8_t BoundedReader::u8(Bytes offset) {
  return static_cast<std::uint8_t>(number(offset, 1, ByteOrder::big));
}
std::uint16_t BoundedReader::u16(Bytes offset, ByteOrder order) {
  return static_cast<std::uint16_t>(number(offset, 2, order));
}
std::uint32_t BoundedReader::u32(Bytes offset, ByteOrder order) {
  return static_cast<std::uint32_t>(number(offset, 4, order));
}
std::uint64_t BoundedReader::u64(Bytes offset, ByteOrder order) {
  return number(offset, 8, order);
}

std::string BoundedReader::four_characters(Bytes offset) {
  std::array<std::byte, 4> raw{};
  read(offset, raw);
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

}  // namespace xrunlab
