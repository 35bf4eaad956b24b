#include <sys/mman.h>
#include <time.h>

#include <cerrno>

#include "load_jobs.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/signal.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kPeriod = std::chrono::milliseconds{10};

Nanoseconds thread_cpu_time() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Nanoseconds{time.tv_sec * kNsPerSecond + time.tv_nsec};
}

/// Computes until the thread has used `amount` more of a CPU.
std::uint64_t compute_for(Nanoseconds amount, Xoshiro256& random) noexcept {
  constexpr int kBetweenLooks = 4096;
  const Nanoseconds until = thread_cpu_time() + amount;
  std::uint64_t result = 0;
  while (thread_cpu_time() < until) {
    for (int count = 0; count < kBetweenLooks; ++count) result ^= random.next();
  }
  return result;
}

/// Memory of one job of a fault load, whose pages come one at a time.
class FaultingMemory {
 public:
  explicit FaultingMemory(Bytes size) : size_(static_cast<std::size_t>(size)) {
    void* const memory =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw Error(ExitCode::system, "cannot map memory for the load: " + errno_text(errno),
                  "give it a smaller size=");
    }
    memory_ = static_cast<std::byte*>(memory);
    ::madvise(memory, size_, MADV_NOHUGEPAGE);
  }
  ~FaultingMemory() { ::munmap(memory_, size_); }
  FaultingMemory(const FaultingMemory&) = delete;
  FaultingMemory& operator=(const FaultingMemory&) = delete;

  void touch(std::size_t page) noexcept {
    const_cast<volatile std::byte*>(memory_)[page * static_cast<std::size_t>(kPageBytes)] = std::byte{1};
  }
  void give_back() noexcept { ::madvise(memory_, size_, MADV_DONTNEED); }
  std::size_t pages() const noexcept { return size_ / static_cast<std::size_t>(kPageBytes); }

 private:
  std::size_t size_;
  std::byte* memory_ = nullptr;
};

}  // namespace

void do_cpu_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  const auto busy =
      Nanoseconds{static_cast<std::int64_t>(static_cast<double>(kPeriod.count()) * task.spec.share)};
  figures.work();
  run_jobs(task.spec.jobs, stop, [&](int job, const JobsEnd& end) {
    SystemClock clock;
    Xoshiro256 random(task.seed, stream_of(task, job));
    volatile std::uint64_t result = 0;
    Nanoseconds next = clock.now();
    while (!end.come()) {
      result = compute_for(busy, random);
      figures.count(0);
      next = std::max(next + kPeriod, clock.now());
      if (busy < kPeriod) clock.sleep_until(next);
    }
    static_cast<void>(result);
  });
}

void do_fault_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  figures.work();
  run_jobs(task.spec.jobs, stop, [&](int, const JobsEnd& end) {
    FaultingMemory memory(task.spec.size);
    while (!end.come()) {
      for (std::size_t page = 0; page < memory.pages() && !end.come(); ++page) {
        memory.touch(page);
        figures.count(kPageBytes);
      }
      memory.give_back();
    }
  });
}

}  // namespace xrunlab
