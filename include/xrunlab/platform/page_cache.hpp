// Drops files from the page cache before the clock starts, and measures how much of them is still there. Used
// by the reader's set-up, before any read; not real-time.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// A stretch of an open file, bytes; only the part inside the file counts.
struct FileRange {
  int fd = -1;
  Bytes offset = 0;
  Bytes size = 0;
};

/// Writes the file's dirty pages and asks the kernel to drop its clean ones (fsync, POSIX_FADV_DONTNEED).
/// Returns the warning when that cannot be: tmpfs never leaves memory, a write-back failed. Pages that
/// another process has mapped stay: measure with cached_share.
std::optional<std::string> evict(int fd);

/// Share of the ranges' pages in the page cache, 0 … 1, by cachestat (Linux 6.5) or mincore. Absent when it
/// cannot be measured: nothing in the ranges, no regular file, or (the kernel then answers with a made-up
/// "all") a file that the user neither owns nor may write.
std::optional<double> cached_share(std::span<const FileRange> ranges);

/// How cached_share counts; `automatic` is cachestat where the kernel has it.
enum class CacheCounting { automatic, mincore };
std::optional<double> cached_share(std::span<const FileRange> ranges, CacheCounting counting);

}  // namespace xrunlab
