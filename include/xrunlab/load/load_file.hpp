// A file that a load reads from or writes to: it has no name, so it is gone with its process, however that
// ends. Made and used in the process of the load.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/load/load_figures.hpp"

namespace xrunlab {

/// Page-aligned memory, as O_DIRECT asks.
class PageBuffer {
 public:
  /// `size` is a multiple of the page. Throws std::bad_alloc.
  explicit PageBuffer(Bytes size);
  std::byte* data() const noexcept { return bytes_.get(); }
  std::span<std::byte> all() const noexcept { return {bytes_.get(), static_cast<std::size_t>(size_)}; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept;
  };
  std::unique_ptr<std::byte, Free> bytes_;
  Bytes size_;
};

enum class LoadAccess { direct, buffered };

struct LoadFile {
  UniqueFd fd;
  Bytes size = 0;       ///< granted: whole blocks
  bool direct = false;  ///< O_DIRECT
};

/// How much of `wanted` may be taken of a file system with `available` of `total` bytes left, so that a tenth
/// of it stays free: whole blocks of `block`, 0 when not even one fits.
Bytes granted_file_bytes(Bytes wanted, Bytes block, Bytes available, Bytes total) noexcept;

/// An unnamed file in `directory` with its space allocated where the file system can do that, smaller than
/// `size` where space is short. Throws Error{system}.
LoadFile make_load_file(const std::filesystem::path& directory, Bytes size, Bytes block, LoadAccess access);

/// Writes noise over all of it, so that reading it reads the disk, and puts it out of the page cache. Counts
/// in `figures.prepared_bytes`; leaves early when `stop` is set. Throws Error{system}.
void fill_load_file(const LoadFile& file, std::uint64_t seed, LoadFigures& figures,
                    const std::atomic<bool>& stop);

/// All of `bytes` at `offset`, or the Error{system} that says why not.
void write_all(int fd, std::span<const std::byte> bytes, Bytes offset);

/// Noise of (seed, stream) over all of `bytes`.
void fill_with_noise(std::span<std::byte> bytes, std::uint64_t seed, int stream);

}  // namespace xrunlab
