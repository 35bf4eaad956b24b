// Counts the calls of the heap that a thread makes while its trap is armed: malloc and its kin, free, new and
// delete, whoever calls them (alsa-lib too). The counting stands in allocation_trap_test.cpp, linked into the
// engine's test program only.
#pragma once

#include <cstdint>

namespace xrunlab::test {

/// Arms the trap of the calling thread for its lifetime.
class AllocationTrap {
 public:
  AllocationTrap() noexcept;
  ~AllocationTrap();
  AllocationTrap(const AllocationTrap&) = delete;
  AllocationTrap& operator=(const AllocationTrap&) = delete;

  /// Heap calls of this thread since it was armed.
  std::int64_t calls() const noexcept;
};

}  // namespace xrunlab::test
