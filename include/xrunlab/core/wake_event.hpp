// Wakes a thread that sleeps on a descriptor: the disk reader in its engine, main beside its signals. Once
// set it stays set.
#pragma once

#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {

class WakeEvent {
 public:
  /// Throws Error{system} without a descriptor.
  WakeEvent();

  /// Thread: any. Real-time: one write to an eventfd, which does not wait.
  void set() const noexcept;

  /// Becomes readable with set(), and stays so: for poll, or for io_uring's.
  int fd() const noexcept { return fd_.get(); }

 private:
  UniqueFd fd_;
};

}  // namespace xrunlab
