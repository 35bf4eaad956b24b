// The engine for machines without io_uring, or to compare with it: one pread at a time, done within submit().
#pragma once

#include <memory>
#include <vector>

#include "xrunlab/disk/io_engine.hpp"

namespace xrunlab {

/// files: open descriptors, which must outlive the engine. io_priority: as ioprio_set(2) takes it, 0 for
/// none; it is set for the calling thread when the engine is made (a pread has no priority of its own).
/// wake_fd ends a wait() once it is readable; −1: none.
std::unique_ptr<IoEngine> make_pread_engine(std::vector<int> files, int io_priority, int wake_fd = -1);

}  // namespace xrunlab
