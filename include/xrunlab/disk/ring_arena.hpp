// The memory of all rings: one mapping, touched before the run, in huge pages where the kernel grants them.
// Rows are handed out behind one another; the mapping is described in slices that io_uring can register.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/read_plan.hpp"

namespace xrunlab {

/// reserved: for a rehearsal, which reads nothing into it. It counts against every limit, but takes no
/// memory.
enum class RingMemory { touched, reserved };

class RingArena {
 public:
  /// The kernel's limit for one registered buffer.
  static constexpr std::size_t kLargestSlice = std::size_t{1} << 30;

  /// One row for each geometry, in that order. Maps and touches the memory. largest_slice: at least a block.
  /// checkpoint: called now and then while the memory is touched; what it throws ends that. Throws
  /// Error{system} with the bytes needed.
  explicit RingArena(const std::vector<RingGeometry>& rows, std::size_t largest_slice = kLargestSlice,
                     const std::function<void()>& checkpoint = {}, RingMemory memory = RingMemory::touched);
  RingArena(const RingArena&) = delete;
  RingArena& operator=(const RingArena&) = delete;
  ~RingArena();

  std::span<std::byte> row(std::size_t index) const noexcept { return rows_[index]; }
  std::span<std::byte> all() const noexcept { return {base_, size_}; }

  /// Slices in ascending order, none larger than was asked for; no block crosses one.
  const std::vector<std::span<std::byte>>& slices() const noexcept { return slices_; }
  Nanoseconds touch_time() const noexcept { return touch_time_; }

  /// True when at least half of the arena stands in huge pages, as /proc/self/smaps says.
  bool huge_pages() const;

 private:
  void make_accessible(std::size_t begin, std::size_t size) const;
  void touch(const std::function<void()>& checkpoint) const;
  void cut(const std::vector<RingGeometry>& rows, std::size_t largest_slice);

  std::byte* base_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::span<std::byte>> rows_;
  std::vector<std::span<std::byte>> slices_;
  Nanoseconds touch_time_{};
};

}  // namespace xrunlab
