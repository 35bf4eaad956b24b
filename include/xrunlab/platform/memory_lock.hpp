// Keeps memory from being paged out: all of the process when the limit allows it, else only the ranges that
// the playback thread touches, else nothing. main makes one before the ring is allocated and adds ring and
// stacks to it; it unlocks everything at its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

struct MemoryRange {
  void* address = nullptr;
  Bytes size = 0;
};

enum class MemoryLockMode { all, ranges, off };

/// on_touch: limits and rights count as ever, but nothing is brought in before it is used; for a rehearsal.
enum class LockTime { at_once, on_touch };

/// "all", "ring", "off", as the run file names them.
std::string_view to_string(MemoryLockMode mode) noexcept;

class MemoryLock {
 public:
  /// Locks what is there and what will come (`all`) if limit or rights cover today's size and
  /// `still_to_allocate` bytes more; else it falls back to `ranges` with a warning. `off` locks nothing.
  /// Raises the soft RLIMIT_MEMLOCK to the hard one first. Never throws for missing rights.
  MemoryLock(MemoryLockMode wanted, Bytes still_to_allocate, const SysRoot& root = SysRoot(),
             LockTime time = LockTime::at_once);
  MemoryLock(const MemoryLock&) = delete;
  MemoryLock& operator=(const MemoryLock&) = delete;
  ~MemoryLock();

  /// Locks one range in mode `ranges` (refused: the warning names it); nothing to do in the other modes.
  /// `what` names it: "the ring", "the playback stack". The range must outlive this object or be unmapped.
  void add(std::string_view what, MemoryRange range);

  /// What is in force: `off` also when every range that was added was refused.
  MemoryLockMode mode() const noexcept;

  /// What is not locked although it was wanted, why, and the limit that would do; empty when all is. It
  /// changes with each range.
  std::vector<std::string> warnings() const;

 private:
  struct NamedRange {
    std::string name;
    MemoryRange range;
    int error = 0;  ///< errno of the refusal
  };
  void lock_all(Bytes still_to_allocate, const SysRoot& root);
  std::string refusal_text() const;

  MemoryLockMode mode_;
  LockTime time_;
  Bytes limit_ = 0;          ///< RLIMIT_MEMLOCK in force, kUnlimited
  std::string all_refused_;  ///< why not all of the process is locked; empty when that was not asked for
  std::vector<NamedRange> locked_;
  std::vector<NamedRange> refused_;
};

/// Bytes of this process that are locked now (VmLck); 0 when it cannot be read.
Bytes locked_bytes(const SysRoot& root = SysRoot());

/// Whether rights or limit let this process lock, or pin, so many bytes.
bool may_lock(Bytes size, const SysRoot& root = SysRoot());

/// Gives malloc a single arena, so that each thread does not reserve 64 MiB that mlockall would fill, and
/// lets it keep what was touched once. Call it first thing in main, before any thread.
void limit_malloc_arenas() noexcept;

}  // namespace xrunlab
