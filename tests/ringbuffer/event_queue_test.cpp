#include "ringbuffer/event_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <thread>

namespace xrunlab {
namespace {

struct Record {
  std::uint64_t number;
  std::array<std::uint64_t, 8> copies;  // torn records would differ in here
};

template <typename Half>
concept CanPush = requires(Half half) {
  half.push(Record{});
};
template <typename Half>
concept CanPop = requires(Half half, Record record) {
  half.pop(&record, 1);
};

static_assert(CanPush<EventProducer<Record>> && !CanPop<EventProducer<Record>>);
static_assert(CanPop<EventConsumer<Record>> && !CanPush<EventConsumer<Record>>);
static_assert(!std::copy_constructible<EventProducer<Record>> &&
              !std::copy_constructible<EventConsumer<Record>>);
static_assert(noexcept(std::declval<EventProducer<Record>&>().push(Record{})));

Record numbered(std::uint64_t number) {
  Record record{number, {}};
  record.copies.fill(number);
  return record;
}

TEST(EventQueue, HoldsExactlyItsCapacityAndCountsTheRestAsDropped) {
  EventQueue<Record> queue(5);
  for (std::uint64_t number = 0; number < 8; ++number) {
    EXPECT_EQ(queue.producer.push(numbered(number)), number < 5);
  }
  EXPECT_EQ(queue.producer.dropped(), 3);
  EXPECT_EQ(queue.consumer.dropped(), 3);
  std::array<Record, 8> out{};
  ASSERT_EQ(queue.consumer.pop(out.data(), out.size()), 5u);
  for (std::uint64_t number = 0; number < 5; ++number) EXPECT_EQ(out[number].number, number);
  EXPECT_EQ(queue.consumer.pop(out.data(), out.size()), 0u);
}

TEST(EventQueue, PopsNoMoreThanAskedForAndKeepsTheOrderAcrossTheWrap) {
  EventQueue<Record> queue(4);
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;
  std::array<Record, 2> out{};
  for (int round = 0; round < 20; ++round) {
    while (queue.producer.push(numbered(pushed))) ++pushed;
    ASSERT_EQ(queue.consumer.pop(out.data(), out.size()), 2u);
    for (const auto& record : out) ASSERT_EQ(record.number, popped++);
  }
  EXPECT_EQ(queue.producer.dropped(), 20);
}

TEST(EventQueue, OneHalfMayOutliveTheOther) {
  auto consumer = [] {
    EventQueue<int> queue(2);
    queue.producer.push(7);
    return std::move(queue.consumer);
  }();
  int out = 0;
  EXPECT_EQ(consumer.pop(&out, 1), 1u);
  EXPECT_EQ(out, 7);
}

TEST(EventQueue, BetweenTwoThreadsEveryRecordArrivesWholeAndInOrderOrIsCountedAsDropped) {
  constexpr std::uint64_t kPushes = 300'000;
  EventQueue<Record> queue(64);
  std::uint64_t accepted = 0;
  std::atomic<bool> done{false};
  std::thread writer([&, producer = std::move(queue.producer)]() mutable {
    for (std::uint64_t number = 0; number < kPushes; ++number) {
      if (producer.push(numbered(number))) ++accepted;
      // Now and then the writer waits, so that records get through on a machine with one processor too.
      if (number % 512 == 0) std::this_thread::yield();
    }
    done.store(true, std::memory_order_release);
  });
  std::uint64_t arrived = 0;
  std::uint64_t least_next = 0;
  std::array<Record, 16> out{};
  for (bool last = false; !last;) {
    last = done.load(std::memory_order_acquire);
    while (const auto count = queue.consumer.pop(out.data(), out.size())) {
      for (std::size_t at = 0; at < count; ++at) {
        ASSERT_GE(out[at].number, least_next);
        least_next = out[at].number + 1;
        for (const auto copy : out[at].copies) ASSERT_EQ(copy, out[at].number);
      }
      arrived += count;
    }
  }
  writer.join();
  EXPECT_EQ(arrived, accepted);
  EXPECT_GT(arrived, 0u);
  EXPECT_EQ(accepted + static_cast<std::uint64_t>(queue.consumer.dropped()), kPushes);
}

TEST(EventQueue, AWriterThatTriesAgainGetsEveryRecordThrough) {
  constexpr std::uint64_t kRecords = 200'000;
  EventQueue<Record> queue(64);
  std::thread writer([producer = std::move(queue.producer)]() mutable {
    for (std::uint64_t number = 0; number < kRecords; ++number) {
      while (!producer.push(numbered(number))) std::this_thread::yield();
    }
  });
  std::uint64_t wrong = 0;
  std::uint64_t next = 0;
  std::array<Record, 16> out{};
  while (next < kRecords) {
    const auto count = queue.consumer.pop(out.data(), out.size());
    for (std::size_t at = 0; at < count; ++at, ++next) {
      for (const auto copy : out[at].copies) wrong += copy != next;
    }
    if (count == 0) std::this_thread::yield();
  }
  writer.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace xrunlab
