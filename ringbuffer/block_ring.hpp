// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned
// system calls.
//
// One track's read-ahead: a row of equal blocks behind one another in borrowed memory, and two wait-free
// queues of block descriptors, filled (producer to consumer) and vacant (back). The data itself is never
// copied by the ring: the producer reads from disk straight into a block, the consumer converts straight out
// of it. make_block_ring gives the two halves, one for each thread; only it allocates.
//
// Memory ordering: a descriptor travels through boost::lockfree::spsc_queue, whose push releases and whose
// pop acquires, so the bytes of a block are visible with its descriptor, and a block is empty for the
// producer only after the consumer's last read of it. `published` is stored (release) after the push: who
// loads it (acquire) will find at least so many bytes in the filled queue. `end` is stored (release) after
// the last publication and must be loaded before `published`: seen as set, the amount that is loaded next is
// final. `consumed` only informs the producer and orders nothing.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace xrunlab {

/// One block as it travels between the halves. Valid bytes are [begin, end) of the block; times are
/// CLOCK_MONOTONIC.
struct Block {
  std::uint32_t index = 0;  ///< place in the row, 0 … block_count − 1
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::int64_t submitted_ns = 0;  ///< when its read was submitted
  std::int64_t completed_ns = 0;  ///< when its read was seen to be complete
};

/// How the stream of blocks goes on after what has been published.
enum class RingEnd : std::uint8_t { open, finished, failed };

namespace block_ring_detail {

struct Shared {
  Shared(std::span<std::byte> row_memory, std::size_t block_size)
      : row(row_memory.data()),
        block_bytes(block_size),
        block_count(row_memory.size() / block_size),
        filled(block_count),
        vacant(block_count) {
    for (std::uint32_t index = 0; index < block_count; ++index) vacant.push(index);
  }

  std::byte* const row;
  const std::size_t block_bytes;
  const std::size_t block_count;
  boost::lockfree::spsc_queue<Block> filled;
  boost::lockfree::spsc_queue<std::uint32_t> vacant;
  // Each on its own cache line: one is written by the producer, the other by the consumer, at every block or
  // fragment.
  alignas(64) std::atomic<std::int64_t> published{0};
  std::atomic<RingEnd> end{RingEnd::open};
  alignas(64) std::atomic<std::int64_t> consumed{0};
};

}  // namespace block_ring_detail

/// The filling half. Thread: the disk reader (or decoder) alone. Real-time: wait-free.
class BlockProducer {
 public:
  /// The next empty block, in row order; nothing when all are full or taken.
  std::optional<std::uint32_t> take_vacant() noexcept {
    std::uint32_t index = 0;
    if (!shared_->vacant.pop(index)) return std::nullopt;
    return index;
  }

  /// Memory of block `index`: block_bytes() bytes.
  std::byte* data(std::uint32_t index) const noexcept { return shared_->row + index * shared_->block_bytes; }

  /// Hands a block over. Blocks must be published in the order in which they were taken.
  void publish(const Block& block) noexcept {
    shared_->filled.push(block);
    published_ += block.end - block.begin;
    shared_->published.store(published_, std::memory_order_release);
  }

  /// Says that nothing follows. Call once, after the last publish.
  void finish(RingEnd how) noexcept { shared_->end.store(how, std::memory_order_release); }

  std::int64_t published_bytes() const noexcept { return published_; }

  /// Bytes that the consumer has not yet used; may be too large by what it uses meanwhile, never too small.
  std::int64_t fill_bytes() const noexcept {
    return published_ - shared_->consumed.load(std::memory_order_relaxed);
  }
  bool any_vacant() const noexcept { return vacant_count() > 0; }
  std::size_t vacant_count() const noexcept { return shared_->vacant.read_available(); }
  std::size_t block_bytes() const noexcept { return shared_->block_bytes; }
  std::size_t block_count() const noexcept { return shared_->block_count; }

 private:
  friend std::pair<BlockProducer, class BlockConsumer> make_block_ring(std::span<std::byte>, std::size_t);
  explicit BlockProducer(std::shared_ptr<block_ring_detail::Shared> shared) noexcept
      : shared_(std::move(shared)) {}

  std::shared_ptr<block_ring_detail::Shared> shared_;
  std::int64_t published_ = 0;
};

/// The emptying half. Thread: playback (or decoder) alone. Real-time: wait-free.
class BlockConsumer {
 public:
  /// What is published and how it goes on, in one coherent look: with end != open, `bytes` is all that will
  /// ever come.
  struct Fill {
    std::int64_t bytes;
    RingEnd end;
  };
  Fill fill() const noexcept {
    const RingEnd end = shared_->end.load(std::memory_order_acquire);
    return {shared_->published.load(std::memory_order_acquire) - consumed_, end};
  }

  /// The longest run of unconsumed bytes that can be read in place: the rest of the current block and, where
  /// it follows in memory and the rest is less than `enough`, the next one. Empty when nothing is published.
  std::span<const std::byte> contiguous(std::size_t enough = SIZE_MAX) noexcept {
    if (!take_current()) return {};
    std::size_t length = current_.end - position_;
    // The queue's indices lie in cache lines that the producer writes: they are looked at only when needed.
    if (length < enough && current_.end == block_bytes_ && shared_->filled.read_available() > 0) {
      const Block& next = shared_->filled.front();
      if (next.index == current_.index + 1 && next.begin == 0) length += next.end;
    }
    return {row_ + current_.index * block_bytes_ + position_, length};
  }

  /// Gives up the first `size` bytes, and each block that this empties. size must not exceed fill().bytes.
  void consume(std::size_t size) noexcept {
    consumed_ += static_cast<std::int64_t>(size);
    while (size > 0 && take_current()) {
      const std::size_t step = std::min<std::size_t>(size, current_.end - position_);
      size -= step;
      position_ += static_cast<std::uint32_t>(step);
      if (position_ == current_.end) {
        shared_->vacant.push(current_.index);
        have_current_ = false;
      }
    }
    shared_->consumed.store(consumed_, std::memory_order_relaxed);
  }

  /// Copies `size` bytes to `out` and consumes them: for the one frame that lies across the wrap of the row.
  void copy_out(std::byte* out, std::size_t size) noexcept {
    while (size > 0) {
      const auto run = contiguous();
      const std::size_t step = std::min(size, run.size());
      if (step == 0) return;
      std::memcpy(out, run.data(), step);
      consume(step);
      out += step;
      size -= step;
    }
  }

  std::int64_t consumed_bytes() const noexcept { return consumed_; }
  std::size_t block_bytes() const noexcept { return block_bytes_; }
  std::size_t block_count() const noexcept { return shared_->block_count; }

 private:
  friend std::pair<BlockProducer, BlockConsumer> make_block_ring(std::span<std::byte>, std::size_t);
  explicit BlockConsumer(std::shared_ptr<block_ring_detail::Shared> shared) noexcept
      : shared_(std::move(shared)), row_(shared_->row), block_bytes_(shared_->block_bytes) {}

  bool take_current() noexcept {
    if (have_current_) return true;
    if (!shared_->filled.pop(current_)) return false;
    position_ = current_.begin;
    have_current_ = true;
    return true;
  }

  std::shared_ptr<block_ring_detail::Shared> shared_;
  const std::byte* row_;  // of shared_, with what is used in every fragment
  std::size_t block_bytes_;
  std::int64_t consumed_ = 0;
  Block current_;
  std::uint32_t position_ = 0;
  bool have_current_ = false;
};

/// The two halves over `row`, which must outlive both: row.size() / block_bytes blocks, all vacant. The row
/// should begin on a page. Allocates; call before the real-time thread starts.
inline std::pair<BlockProducer, BlockConsumer> make_block_ring(std::span<std::byte> row,
                                                               std::size_t block_bytes) {
  auto shared = std::make_shared<block_ring_detail::Shared>(row, block_bytes);
  return {BlockProducer(shared), BlockConsumer(shared)};
}

}  // namespace xrunlab
