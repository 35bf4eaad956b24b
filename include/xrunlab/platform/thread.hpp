// A thread with a small stack whose pages are all there before its function begins, so that it neither
// faults later nor makes locking all memory expensive. It takes no signals: those are main's. Started and
// joined by main.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/memory_lock.hpp"

namespace xrunlab {

inline constexpr Bytes kThreadStackBytes = Bytes{256} << 10;

class Thread {
 public:
  Thread() noexcept;

  /// Starts `entry` under `name` (the kernel keeps 15 characters) and returns once it is about to run. An
  /// exception out of `entry` ends the program. Throws Error{system} when the thread cannot be made.
  Thread(const std::string& name, std::function<void()> entry, Bytes stack_bytes = kThreadStackBytes);
  Thread(Thread&& other) noexcept;
  Thread& operator=(Thread&& other) noexcept;

  /// Joins: whoever owns it must have told it to end.
  ~Thread();

  void join() noexcept;
  bool joinable() const noexcept;

  /// The kernel's number of the thread; 0 when none was started.
  pid_t id() const noexcept;

  /// Its stack, for MemoryLock::add; valid until joined.
  MemoryRange stack() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xrunlab
