#include "xrunlab/platform/memory_lock.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>
#include <charconv>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/container.hpp"
#include "xrunlab/platform/limits.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr int kCapIpcLock = 14;  // linux/capability.h
constexpr std::string_view kRemedy =
    "; \"@audio - memlock unlimited\" in /etc/security/limits.d/audio.conf and a new login mend it";

/// A line of /proc/self/status in bytes.
Bytes status_bytes(std::string_view key, const SysRoot& root) {
  const std::string status = root.read("/proc/self/status").value_or("");
  const auto text = value_of(status, key);
  Bytes kibibytes = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), kibibytes);
  return kibibytes * 1024;
}

std::string kib(Bytes bytes) {
  return std::to_string((bytes + 1023) / 1024) + " KiB";
}

}  // namespace

std::string_view to_string(MemoryLockMode mode) noexcept {
  switch (mode) {
    case MemoryLockMode::all:
      return "all";
    case MemoryLockMode::ranges:
      return "ring";
    case MemoryLockMode::off:
      break;
  }
  return "off";
}

MemoryLock::MemoryLock(MemoryLockMode wanted, Bytes still_to_allocate, const SysRoot& root) : mode_(wanted) {
  if (mode_ == MemoryLockMode::off) return;
  const ResourceLimit limit = raise_locked_memory_limit();
  if (mode_ != MemoryLockMode::all) return;
  // Above the limit MCL_FUTURE would make every later mmap fail, malloc's and the threads' included.
  const Bytes needed = status_bytes("VmSize", root) + still_to_allocate;
  if (has_capability(kCapIpcLock, root) || limit.allows(needed)) {
    lock_all(still_to_allocate, root);
    return;
  }
  mode_ = MemoryLockMode::ranges;
  warnings_.push_back("only the ring and the stacks are locked in memory: all of the process is " +
                      kib(needed) + ", the limit " + kib(limit.soft) + " (RLIMIT_MEMLOCK)" +
                      std::string(kRemedy));
}

void MemoryLock::lock_all(Bytes still_to_allocate, const SysRoot& root) {
  if (::mlockall(MCL_CURRENT | MCL_FUTURE) == 0) return;
  const int error = errno;
  ::munlockall();
  mode_ = MemoryLockMode::ranges;
  warnings_.push_back("only the ring and the stacks are locked in memory: locking all " +
                      kib(status_bytes("VmSize", root) + still_to_allocate) + " failed, " +
                      errno_text(error));
}

MemoryLock::~MemoryLock() {
  if (mode_ == MemoryLockMode::all) ::munlockall();
  for (const MemoryRange& range : ranges_) ::munlock(range.address, static_cast<std::size_t>(range.size));
}

void MemoryLock::add(std::string_view what, MemoryRange range) {
  if (mode_ != MemoryLockMode::ranges || range.size <= 0) return;
  if (::mlock(range.address, static_cast<std::size_t>(range.size)) == 0) {
    ranges_.push_back(range);
    return;
  }
  const int error = errno;
  warnings_.push_back(std::string(what) + " (" + kib(range.size) + ") is not locked in memory: " +
                      (error == ENOMEM || error == EAGAIN || error == EPERM
                           ? "beyond the limit (RLIMIT_MEMLOCK)" + std::string(kRemedy)
                           : errno_text(error)));
}

Bytes locked_bytes(const SysRoot& root) {
  return status_bytes("VmLck", root);
}

void limit_malloc_arenas() noexcept {
  ::mallopt(M_ARENA_MAX, 1);
  // A fixed threshold: glibc would otherwise raise it to the largest block freed and keep that for good.
  constexpr int kOwnMappingBytes = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kOwnMappingBytes);
  ::mallopt(M_TRIM_THRESHOLD,
            8 * kOwnMappingBytes);  // given back and faulted in again would cost minor faults
}

}  // namespace xrunlab
