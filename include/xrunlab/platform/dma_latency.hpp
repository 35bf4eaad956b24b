// Holds /dev/cpu_dma_latency open, which keeps the CPUs out of idle states that take longer than this to
// leave; the kernel forgets it when the object is gone. main makes it during set-up.
#pragma once

#include <chrono>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

class DmaLatency {
 public:
  /// `longest`: longest allowed exit latency, 0 … 2^31 − 1 µs (0: the CPU polls). Throws Error{usage} for a
  /// value outside, Error{system} when there is no such device or no right to it.
  explicit DmaLatency(std::chrono::microseconds longest, const SysRoot& root = SysRoot());

  std::chrono::microseconds value() const noexcept { return value_; }

 private:
  std::chrono::microseconds value_;
  UniqueFd device_;
};

}  // namespace xrunlab
