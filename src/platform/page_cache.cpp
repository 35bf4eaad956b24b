#include "xrunlab/platform/page_cache.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

struct PageCount {
  std::int64_t cached = 0;
  std::int64_t all = 0;
};

Bytes page_bytes() noexcept {
  static const Bytes kSize = ::sysconf(_SC_PAGESIZE);
  return kSize;
}

/// Whole pages around the part of the range that lies in the file.
struct Extent {
  Bytes offset = 0;
  Bytes size = 0;
};

Extent pages_of(const FileRange& range, Bytes file_bytes) {
  const Bytes first = std::clamp<Bytes>(range.offset, 0, file_bytes);
  const Bytes bytes = std::clamp<Bytes>(range.size, 0, file_bytes - first);
  if (bytes == 0) return {};
  const Bytes start = round_down(first, page_bytes());
  return {start, round_up(first + bytes, page_bytes()) - start};
}

/// Linux 6.5, not in this libc's headers.
constexpr long kCachestat = 451;
struct CachestatRange {
  std::uint64_t offset;
  std::uint64_t size;
};
struct CachestatCounts {
  std::uint64_t cached;
  std::uint64_t dirty;
  std::uint64_t writeback;
  std::uint64_t evicted;
  std::uint64_t recently_evicted;
};

std::optional<std::int64_t> count_by_cachestat(int fd, Extent extent) {
  CachestatRange range{static_cast<std::uint64_t>(extent.offset), static_cast<std::uint64_t>(extent.size)};
  CachestatCounts counts{};
  if (::syscall(kCachestat, fd, &range, &counts, 0) != 0) return std::nullopt;
  return static_cast<std::int64_t>(counts.cached);
}

/// The kernel tells the truth only to those who own the file or may write it (Linux 5.2).
bool may_ask_mincore(int fd, const struct stat& status) {
  if (::geteuid() == 0 || status.st_uid == ::geteuid()) return true;
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  return ::faccessat(AT_FDCWD, link.c_str(), W_OK, AT_EACCESS) == 0;
}

std::optional<std::int64_t> count_by_mincore(int fd, Extent extent) {
  constexpr Bytes kChunk = Bytes{256} << 20;  // 64 Ki answers at a time
  std::vector<unsigned char> present(static_cast<std::size_t>(std::min(kChunk, extent.size) / page_bytes()));
  std::int64_t cached = 0;
  for (Bytes done = 0; done < extent.size; done += kChunk) {
    const auto size = static_cast<std::size_t>(std::min(kChunk, extent.size - done));
    // Not readable: after mlockall(MCL_FUTURE) the kernel would read all of a readable mapping in at once.
    void* const mapped = ::mmap(nullptr, size, PROT_NONE, MAP_SHARED, fd, extent.offset + done);
    if (mapped == MAP_FAILED) return std::nullopt;
    const bool answered = ::mincore(mapped, size, present.data()) == 0;
    ::munmap(mapped, size);
    if (!answered) return std::nullopt;
    const auto end = present.begin() + static_cast<std::ptrdiff_t>(static_cast<Bytes>(size) / page_bytes());
    cached += std::count_if(present.begin(), end, [](unsigned char page) { return (page & 1) != 0; });
  }
  return cached;
}

std::optional<PageCount> count_pages(const FileRange& range, CacheCounting counting) {
  struct stat status {};
  if (::fstat(range.fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const Extent extent = pages_of(range, status.st_size);
  if (extent.size == 0) return PageCount{};
  std::optional<std::int64_t> cached;
  if (counting == CacheCounting::automatic) cached = count_by_cachestat(range.fd, extent);
  if (!cached && may_ask_mincore(range.fd, status)) cached = count_by_mincore(range.fd, extent);
  if (!cached) return std::nullopt;
  return PageCount{*cached, extent.size / page_bytes()};
}

}  // namespace

std::optional<std::string> evict(int fd) {
  struct statfs filesystem {};
  if (::fstatfs(fd, &filesystem) == 0 &&
      (filesystem.f_type == TMPFS_MAGIC || filesystem.f_type == RAMFS_MAGIC)) {
    return "cannot be evicted: tmpfs never leaves memory";
  }
  // EROFS and EINVAL: nothing there can be dirty.
  if (::fsync(fd) != 0 && errno != EROFS && errno != EINVAL) {
    return "cannot be evicted: writing it back failed, " + errno_text(errno);
  }
  const int error = ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  if (error != 0) return "cannot be evicted: " + errno_text(error);
  return std::nullopt;
}

std::optional<double> cached_share(std::span<const FileRange> ranges, CacheCounting counting) {
  PageCount total;
  for (const FileRange& range : ranges) {
    const auto count = count_pages(range, counting);
    if (!count) return std::nullopt;
    total.cached += count->cached;
    total.all += count->all;
  }
  if (total.all == 0) return std::nullopt;
  // Cachestat also counts pages beyond the end that read-ahead left; a share stays a share.
  return std::min(1.0, static_cast<double>(total.cached) / static_cast<double>(total.all));
}

std::optional<double> cached_share(std::span<const FileRange> ranges) {
  return cached_share(ranges, CacheCounting::automatic);
}

}  // namespace xrunlab
