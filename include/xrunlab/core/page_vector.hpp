// A vector whose elements begin on a page: on Zen 3 a copy whose destination lies 16 bytes behind its source
// modulo 4096 takes 20 times as long, and a large malloc returns page + 16. For buffers that samples are
// copied or converted into; made and touched in set-up.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

template <class T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{static_cast<std::size_t>(kPageBytes)};

  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, kAlignment); }

  friend bool operator==(const PageAllocator&, const PageAllocator&) noexcept { return true; }
};

template <class T>
using PageVector = std::vector<T, PageAllocator<T>>;

}  // namespace xrunlab
