// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// A queue of fixed-size records from one thread to one other, for what a real-time thread has to tell. The
// writing half and the reading half are two objects: a push on the reading side, or a second writer, does not
// compile. Pushing never waits: a record that finds no room is dropped and counted.
//
// Memory ordering: records travel through boost::lockfree::spsc_queue, whose push publishes the write index
// with release after the record has been stored and whose pop reads it with acquire before the record is
// copied out (and the other way round for the read index when a cell is given back), so a record popped is
// always a whole one. The drop counter has one writer and orders nothing: it is relaxed, its writer loads and
// stores instead of adding atomically, and a reader sees it exact once the writing thread has been joined or
// has otherwise been synchronised with.
#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace xrunlab {

/// What the two halves of one queue share; nobody else has a use for it.
template <typename T>
class EventQueueState {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                "a record is plain data: copying it must not allocate or throw");

 public:
  explicit EventQueueState(std::size_t capacity) : capacity_(capacity), queue_(capacity) {
    // Every cell is written once here, so that no push of the real-time thread takes a page fault.
    for (std::size_t count = 0; count < capacity; ++count) queue_.push(T{});
    queue_.reset();
  }

  std::size_t capacity() const noexcept { return capacity_; }
  bool push(const T& record) noexcept {
    if (queue_.push(record)) [[likely]]
      return true;
    dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return false;
  }
  std::size_t pop(T* records, std::size_t most) noexcept { return queue_.pop(records, most); }
  std::int64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<std::int64_t> dropped_{0};  // beside the write index: the producer's cache line
  std::size_t capacity_;
  boost::lockfree::spsc_queue<T> queue_;
};

template <typename T>
struct EventQueue;

/// The writing half; moved to where the one writing thread uses it. A moved-from half may only be destroyed
/// or assigned to. Neither half may be destroyed on a real-time thread.
template <typename T>
class EventProducer {
 public:
  EventProducer(EventProducer&&) noexcept = default;
  EventProducer& operator=(EventProducer&&) noexcept = default;

  /// True when the record was taken; false when the queue was full: the record is dropped and counted.
  /// Thread: the one producer. Real-time: wait-free.
  bool push(const T& record) noexcept { return state_->push(record); }

  /// Records dropped so far. Thread: any. Real-time: wait-free.
  std::int64_t dropped() const noexcept { return state_->dropped(); }

 private:
  friend struct EventQueue<T>;
  explicit EventProducer(std::shared_ptr<EventQueueState<T>> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<EventQueueState<T>> state_;
};

/// The reading half; moved to where the one reading thread uses it.
template <typename T>
class EventConsumer {
 public:
  EventConsumer(EventConsumer&&) noexcept = default;
  EventConsumer& operator=(EventConsumer&&) noexcept = default;

  /// Takes up to `most` records, oldest first, into `records`; returns how many.
  /// Thread: the one consumer. Real-time: wait-free.
  std::size_t pop(T* records, std::size_t most) noexcept { return state_->pop(records, most); }

  /// Records that the producer had to drop so far. Thread: any. Real-time: wait-free.
  std::int64_t dropped() const noexcept { return state_->dropped(); }

  std::size_t capacity() const noexcept { return state_->capacity(); }

 private:
  friend struct EventQueue<T>;
  explicit EventConsumer(std::shared_ptr<EventQueueState<T>> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<EventQueueState<T>> state_;
};

/// Both halves of a new queue: `EventQueue<Event> queue(4096);`, then move each half to its thread. The
/// memory lives until both halves are gone.
template <typename T>
struct EventQueue {
  /// Room for `capacity` records, at least 1; allocates and touches all of it. Throws std::bad_alloc.
  explicit EventQueue(std::size_t capacity) : EventQueue(std::make_shared<EventQueueState<T>>(capacity)) {}

  EventProducer<T> producer;
  EventConsumer<T> consumer;

 private:
  explicit EventQueue(std::shared_ptr<EventQueueState<T>> state) noexcept
      : producer(state), consumer(std::move(state)) {}
};

}  // namespace xrunlab
