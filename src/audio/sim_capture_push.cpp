// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include <algorithm>
#include <cstring>
#include <thread>

#include "xrunlab/audio/sim_capture.hpp"

namespace xrunlab {

bool SimCapture::push(const std::byte* data, Bytes size) noexcept {
  const auto capacity = static_cast<Bytes>(queue_.size());
  const Bytes pushed = pushed_.load(std::memory_order_relaxed);
  while (pushed + size - popped_.load(std::memory_order_acquire) > capacity) {
    if (when_full_ == WhenFull::fail || size > capacity) {
      overflowed_.store(true, std::memory_order_relaxed);
      return false;
    }
    std::this_thread::yield();
  }
  if (overflowed_.load(std::memory_order_relaxed) || write_error_.load(std::memory_order_relaxed) != 0) {
    return false;
  }
  const Bytes at = pushed % capacity;
  const Bytes first = std::min(size, capacity - at);
  std::memcpy(queue_.data() + at, data, static_cast<std::size_t>(first));
  std::memcpy(queue_.data(), data + first, static_cast<std::size_t>(size - first));
  pushed_.store(pushed + size, std::memory_order_release);
  return true;
}

}  // namespace xrunlab
