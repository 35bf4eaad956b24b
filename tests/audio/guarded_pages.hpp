// Memory whose last byte is followed by a page that faults, so that reading or writing past the end kills the
// test.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>

namespace xrunlab {

class GuardedPages {
 public:
  explicit GuardedPages(std::size_t bytes) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    usable_ = (bytes + page_ - 1) / page_ * page_;
    void* base = mmap(nullptr, usable_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(base);
    if (mprotect(base_ + usable_, page_, PROT_NONE) != 0) throw std::bad_alloc();
  }
  ~GuardedPages() { munmap(base_, usable_ + page_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  /// The last `bytes` before the page that faults.
  std::byte* last(std::size_t bytes) { return base_ + usable_ - bytes; }

 private:
  std::size_t page_;
  std::size_t usable_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace xrunlab
