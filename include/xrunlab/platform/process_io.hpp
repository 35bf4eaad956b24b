// How many bytes the block layer was asked to read for this process, page cache left out: what stands beside
// the bytes that a run read shows how much came from the cache. Read before and after a run by main.
#pragma once

#include <optional>

#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// read_bytes of /proc/self/io, over all threads (io_uring's workers included) since the start. Kernel
/// read-ahead counts in full; tmpfs, FUSE and network file systems count nothing. Absent on a kernel without
/// TASK_IO_ACCOUNTING.
std::optional<Bytes> device_read_bytes(const SysRoot& root = SysRoot());

}  // namespace xrunlab
