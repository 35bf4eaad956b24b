#include "xrunlab/platform/memory_lock.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>

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
  return leading_number(text.value_or("")).value_or(0) * 1024;
}

std::string kib(Bytes bytes) {
  return std::to_string((bytes + 1023) / 1024) + " KiB";
}

/// "the ring, the reader's stack and the playback stack"
std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (index > 0) text += index + 1 == names.size() ? " and " : ", ";
    text += names[index];
  }
  return text;
}

std::string be(std::size_t count) {
  return count == 1 ? " is" : " are";
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

MemoryLock::MemoryLock(MemoryLockMode wanted, Bytes still_to_allocate, const SysRoot& root, LockTime time)
    : mode_(wanted), time_(time) {
  if (mode_ == MemoryLockMode::off) return;
  const ResourceLimit limit = raise_locked_memory_limit();
  limit_ = limit.soft;
  if (mode_ != MemoryLockMode::all) return;
  // Above the limit MCL_FUTURE would make every later mmap fail, malloc's and the threads' included.
  const Bytes needed = status_bytes("VmSize", root) + still_to_allocate;
  if (has_capability(kCapIpcLock, root) || limit.allows(needed)) {
    lock_all(still_to_allocate, root);
    return;
  }
  mode_ = MemoryLockMode::ranges;
  all_refused_ = "all of the process is " + kib(needed) + ", the limit " + kib(limit.soft) +
                 " (RLIMIT_MEMLOCK)" + std::string(kRemedy);
}

void MemoryLock::lock_all(Bytes still_to_allocate, const SysRoot& root) {
  const int on_touch = time_ == LockTime::on_touch ? MCL_ONFAULT : 0;
  if (::mlockall(MCL_CURRENT | MCL_FUTURE | on_touch) == 0) return;
  const int error = errno;
  ::munlockall();
  mode_ = MemoryLockMode::ranges;
  all_refused_ = "locking all " + kib(status_bytes("VmSize", root) + still_to_allocate) + " failed, " +
                 errno_text(error);
}

MemoryLock::~MemoryLock() {
  if (mode_ == MemoryLockMode::all) ::munlockall();
  for (const auto& [name, range, error] : locked_) {
    ::munlock(range.address, static_cast<std::size_t>(range.size));
  }
}

void MemoryLock::add(std::string_view what, MemoryRange range) {
  if (mode_ != MemoryLockMode::ranges || range.size <= 0) return;
  const auto size = static_cast<std::size_t>(range.size);
  const int result = time_ == LockTime::on_touch ? ::mlock2(range.address, size, MLOCK_ONFAULT)
                                                 : ::mlock(range.address, size);
  if (result == 0) {
    locked_.push_back({std::string(what), range});
  } else {
    refused_.push_back({std::string(what), range, errno});
  }
}

MemoryLockMode MemoryLock::mode() const noexcept {
  return locked_.empty() && !refused_.empty() ? MemoryLockMode::off : mode_;
}

std::string MemoryLock::refusal_text() const {
  std::vector<std::string> names;
  Bytes wanted = 0;
  for (const auto& [name, range, error] : locked_) {
    names.push_back(name);
    wanted += range.size;
  }
  std::string text = names.empty() ? "nothing is locked in memory: "
                                   : "only " + list_of(names) + be(names.size()) + " locked in memory: ";
  names.clear();
  int other_error = 0;
  for (const auto& [name, range, error] : refused_) {
    names.push_back(name + " (" + kib(range.size) + ")");
    wanted += range.size;
    if (error != ENOMEM && error != EAGAIN && error != EPERM) other_error = error;
  }
  text += list_of(names) + be(names.size());
  if (other_error != 0 || limit_ == kUnlimited) {
    return text + " refused, " + errno_text(other_error != 0 ? other_error : refused_.front().error);
  }
  return text + " beyond the limit of " + kib(limit_) + " (RLIMIT_MEMLOCK), which would have to be " +
         kib(wanted) + std::string(kRemedy);
}

std::vector<std::string> MemoryLock::warnings() const {
  if (!refused_.empty()) return {refusal_text()};
  if (all_refused_.empty()) return {};
  const bool has_ring = std::any_of(locked_.begin(), locked_.end(), [](const auto& range) {
    return range.name.find("ring") != std::string::npos;
  });
  return {std::string(has_ring ? "only the ring and the stacks" : "only the stacks") +
          " are locked in memory: " + all_refused_};
}

Bytes locked_bytes(const SysRoot& root) {
  return status_bytes("VmLck", root);
}

bool may_lock(Bytes size, const SysRoot& root) {
  return has_capability(kCapIpcLock, root) || read_limit("Max locked memory", root).allows(size);
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
