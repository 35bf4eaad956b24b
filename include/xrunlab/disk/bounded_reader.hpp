// Reads numbers out of a file's header, or out of memory in tests and under a fuzzer. Nothing outside
// [0, size) is ever read and nothing is allocated by a size that stands in the file: a parser built on it can
// be wrong about a broken file, but not unsafe. Used by the header parsers on set-up threads; one thread at a
// time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

enum class ByteOrder : std::uint8_t { little, big };

class BoundedReader {
 public:
  /// The first `size` bytes of `fd`, which stays the caller's. `name` stands in front of every message.
  BoundedReader(int fd, Bytes size, std::string name) : fd_(fd), size_(size), name_(std::move(name)) {}

  /// The bytes of `memory`, which must outlive the reader.
  BoundedReader(std::span<const std::byte> memory, std::string name)
      : memory_(memory), size_(static_cast<Bytes>(memory.size())), name_(std::move(name)) {}

  Bytes size() const noexcept { return size_; }
  const std::string& name() const noexcept { return name_; }

  /// Whether [offset, offset + count) lies in the file; any values are allowed.
  bool holds(Bytes offset, Bytes count) const noexcept {
    return offset >= 0 && count >= 0 && offset <= size_ && count <= size_ - offset;
  }

  /// Bytes from `offset` to the end; 0 behind the end.
  Bytes left_from(Bytes offset) const noexcept { return offset >= 0 && offset < size_ ? size_ - offset : 0; }

  /// Fills `out` (at most 4096 bytes) from `offset`. Throws Error{input_file} when that is not all in the
  /// file or cannot be read.
  void read(Bytes offset, std::span<std::byte> out);

  std::uint8_t u8(Bytes offset);
  std::uint16_t u16(Bytes offset, ByteOrder order);
  std::uint32_t u32(Bytes offset, ByteOrder order);
  std::uint64_t u64(Bytes offset, ByteOrder order);

  /// Four bytes as they stand, such as "RIFF".
  std::string four_characters(Bytes offset);

  /// Throws Error{input_file} with "NAME: WHAT". What is broken and cannot be mended has the remedy of a
  /// damaged file.
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy = kDamaged) const;

 private:
  static constexpr const char* kDamaged =
      "the file is damaged: copy it again from where it came, or leave it out";

  void fill_window(Bytes offset, Bytes count);
  std::uint64_t number(Bytes offset, int bytes, ByteOrder order);

  int fd_ = -1;
  std::span<const std::byte> memory_;
  Bytes size_ = 0;
  std::string name_;
  std::array<std::byte, kPageBytes> window_{};  // headers are read in many small steps: one system call
  Bytes window_start_ = 0;
  Bytes window_size_ = 0;
};

}  // namespace xrunlab
