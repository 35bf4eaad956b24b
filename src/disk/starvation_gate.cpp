#include "xrunlab/disk/starvation_gate.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace xrunlab {
namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

}  // namespace

void StarvationGate::sleep(Nanoseconds limit) noexcept {
  if (virtual_clock_ != nullptr) {
    const Nanoseconds until = virtual_clock_->now() + limit;
    while (waiting_.load(std::memory_order_relaxed) != 0 && virtual_clock_->step(until)) {
    }
    return;
  }
  const timespec time{limit.count() / kNsPerSecond, limit.count() % kNsPerSecond};
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&waiting_), FUTEX_WAIT_PRIVATE, 1, &time, nullptr, 0);
}

void StarvationGate::wake() noexcept {
  if (waiting_.exchange(0, std::memory_order_seq_cst) == 0) return;
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&waiting_), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace xrunlab
