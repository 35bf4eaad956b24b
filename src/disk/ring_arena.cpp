#include "xrunlab/disk/ring_arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kHugePage = 2 * 1024 * 1024;
constexpr std::size_t kTouchedAtOnce = 32 * kHugePage;

Error no_memory(std::size_t size, int error_number) {
  return {ExitCode::system, "the ring needs " + std::to_string(size) + " bytes: " + errno_text(error_number),
          "give a shorter --ring or fewer tracks"};
}

}  // namespace

RingArena::RingArena(const std::vector<RingGeometry>& rows, std::size_t largest_slice,
                     const std::function<void()>& checkpoint, RingMemory memory) {
  for (const auto& row : rows) size_ += static_cast<std::size_t>(row.bytes());
  size_ = static_cast<std::size_t>(
      round_up(static_cast<std::int64_t>(std::max<std::size_t>(size_, 1)), kPageBytes));
  const SystemClock clock;
  const auto start = clock.now();
  // One huge page more, so that the first row can start on one.
  void* const mapped = mmap(nullptr, size_ + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    throw no_memory(size_, errno);
  }
  auto* const low = static_cast<std::byte*>(mapped);
  const auto address = reinterpret_cast<std::uintptr_t>(low);
  base_ = low + ((kHugePage - address % kHugePage) % kHugePage);
  if (base_ > low) munmap(low, static_cast<std::size_t>(base_ - low));
  std::byte* const high = low + size_ + kHugePage;
  if (high > base_ + size_) munmap(base_ + size_, static_cast<std::size_t>(high - (base_ + size_)));

  // Not accessible until huge pages are asked for: where all future memory is locked (MCL_FUTURE), the kernel
  // fills a mapping with small pages at once.
  madvise(base_, size_, MADV_HUGEPAGE);
  try {
    if (memory == RingMemory::touched) {
      touch(checkpoint);
    } else {
      make_accessible(0, size_);
    }
  } catch (...) {
    munmap(base_, size_);
    throw;
  }
  touch_time_ = clock.now() - start;
  cut(rows, largest_slice);
}

void RingArena::make_accessible(std::size_t begin, std::size_t size) const {
  if (mprotect(base_ + begin, size, PROT_READ | PROT_WRITE) != 0) throw no_memory(size_, errno);
}

/// A step at a time: gigabytes may take minutes.
void RingArena::touch(const std::function<void()>& checkpoint) const {
  for (std::size_t begin = 0; begin < size_; begin += kTouchedAtOnce) {
    const std::size_t step = std::min(kTouchedAtOnce, size_ - begin);
    make_accessible(begin, step);
    for (std::size_t at = begin; at < begin + step; at += static_cast<std::size_t>(kPageBytes)) {
      base_[at] = std::byte{0};
    }
    if (checkpoint) checkpoint();
  }
}

RingArena::~RingArena() {
  munmap(base_, size_);
}

void RingArena::cut(const std::vector<RingGeometry>& rows, std::size_t largest_slice) {
  std::byte* at = base_;
  std::byte* slice_start = base_;
  for (const auto& row : rows) {
    const auto block = static_cast<std::size_t>(row.block_bytes);
    rows_.emplace_back(at, static_cast<std::size_t>(row.bytes()));
    for (std::int64_t index = 0; index < row.block_count; ++index, at += block) {
      if (static_cast<std::size_t>(at - slice_start) + block > largest_slice) {
        slices_.emplace_back(slice_start, at);
        slice_start = at;
      }
    }
  }
  if (at > slice_start) slices_.emplace_back(slice_start, at);
}

bool RingArena::huge_pages() const {
  std::ifstream smaps("/proc/self/smaps");
  const auto low = reinterpret_cast<std::uintptr_t>(base_);
  const auto high = low + size_;
  std::size_t huge_bytes = 0;
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    std::size_t kib = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2) {
      inside = from < high && to > low;
    } else if (inside && std::sscanf(line.c_str(), "AnonHugePages: %zu kB", &kib) == 1) {
      huge_bytes += kib * 1024;
    }
  }
  return huge_bytes >= size_ / 2;
}

}  // namespace xrunlab
