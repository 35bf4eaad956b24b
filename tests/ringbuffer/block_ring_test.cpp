#include "ringbuffer/block_ring.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace xrunlab {
namespace {

constexpr std::size_t kBlockBytes = 64;

Block fill_block(BlockProducer& producer, std::uint8_t first, std::uint32_t begin = 0,
                 std::uint32_t end = kBlockBytes) {
  const auto index = producer.take_vacant().value();
  for (std::uint32_t at = begin; at < end; ++at) {
    producer.data(index)[at] = static_cast<std::byte>(first + (at - begin));
  }
  return {.index = index, .begin = begin, .end = end};
}

TEST(BlockRing, GivesBlocksInRowOrderAndTakesThemBackOnlyWhenEmpty) {
  std::vector<std::byte> row(3 * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  for (std::uint8_t count = 0; count < 3; ++count) producer.publish(fill_block(producer, count));
  EXPECT_FALSE(producer.take_vacant());
  consumer.consume(kBlockBytes - 1);
  EXPECT_FALSE(producer.take_vacant());
  consumer.consume(1);
  EXPECT_EQ(producer.take_vacant(), 0u);
}

TEST(BlockRing, NeighbouringBlocksReadAsOneRunAndTheWrapAsTwo) {
  std::vector<std::byte> row(2 * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  producer.publish(fill_block(producer, 0));
  EXPECT_EQ(consumer.contiguous().size(), kBlockBytes);
  producer.publish(fill_block(producer, 64));
  EXPECT_EQ(consumer.contiguous().size(), 2 * kBlockBytes);
  EXPECT_EQ(consumer.contiguous().data(), row.data());
  EXPECT_EQ(consumer.contiguous(kBlockBytes).size(), kBlockBytes);
  EXPECT_EQ(consumer.contiguous(kBlockBytes + 1).size(), 2 * kBlockBytes);
  consumer.consume(kBlockBytes);
  producer.publish(fill_block(producer, 128));
  EXPECT_EQ(consumer.contiguous().size(), kBlockBytes);

  consumer.consume(kBlockBytes - 2);
  std::byte frame[4];
  consumer.copy_out(frame, 4);
  EXPECT_EQ(frame[0], std::byte{126});
  EXPECT_EQ(frame[1], std::byte{127});
  EXPECT_EQ(frame[2], std::byte{128});
  EXPECT_EQ(frame[3], std::byte{129});
}

TEST(BlockRing, AGapWithinBlocksEndsTheRun) {
  std::vector<std::byte> row(4 * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  producer.publish(fill_block(producer, 0, 44, kBlockBytes));
  producer.publish(fill_block(producer, 20, 0, 10));
  producer.publish(fill_block(producer, 30, 4, 10));
  EXPECT_EQ(consumer.fill().bytes, 20 + 10 + 6);
  EXPECT_EQ(consumer.contiguous().size(), 30u);
  EXPECT_EQ(consumer.contiguous().front(), std::byte{0});
  consumer.consume(25);
  EXPECT_EQ(consumer.contiguous().size(), 5u);
  consumer.consume(5);
  EXPECT_EQ(consumer.contiguous().front(), std::byte{30});
}

TEST(BlockRing, FrameLargerThanABlockIsCopiedWhole) {
  std::vector<std::byte> row(4 * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  for (std::uint8_t count = 0; count < 4; ++count)
    producer.publish(fill_block(producer, static_cast<std::uint8_t>(count * 64)));
  std::vector<std::byte> frame(4 * kBlockBytes);
  consumer.copy_out(frame.data(), frame.size());
  for (std::size_t at = 0; at < frame.size(); ++at) ASSERT_EQ(frame[at], static_cast<std::byte>(at));
}

TEST(BlockRing, EndIsSeenOnlyWithAllBytes) {
  std::vector<std::byte> row(2 * kBlockBytes);
  auto [producer, consumer] = make_block_ring(row, kBlockBytes);
  EXPECT_EQ(consumer.fill().end, RingEnd::open);
  producer.publish(fill_block(producer, 0, 0, 7));
  producer.finish(RingEnd::finished);
  EXPECT_EQ(consumer.fill().end, RingEnd::finished);
  EXPECT_EQ(consumer.fill().bytes, 7);
}

// Two threads, every byte verified: the message is the running number of each four-byte word.
TEST(BlockRingThreads, EveryWordArrivesOnceAndInOrder) {
  constexpr std::uint32_t kWords = 400'000;
  std::vector<std::byte> row(5 * kBlockBytes);
  auto halves = make_block_ring(row, kBlockBytes);
  std::thread filling([producer = std::move(halves.first)]() mutable {
    std::uint32_t word = 0;
    while (word < kWords) {
      const auto index = producer.take_vacant();
      if (!index) {
        std::this_thread::yield();
        continue;
      }
      std::uint32_t end = 0;
      for (; end < kBlockBytes && word < kWords; end += 4, ++word)
        std::memcpy(producer.data(*index) + end, &word, 4);
      producer.publish({.index = *index, .begin = 0, .end = end});
    }
    producer.finish(RingEnd::finished);
  });
  BlockConsumer consumer = std::move(halves.second);
  std::uint32_t expected = 0;
  std::uint32_t wrong = 0;
  while (true) {
    const auto fill = consumer.fill();
    if (fill.bytes == 0 && fill.end != RingEnd::open) break;
    // An odd step, so that words lie across blocks and across the wrap.
    const std::size_t words = std::min<std::size_t>(7, static_cast<std::size_t>(fill.bytes) / 4);
    if (words == 0) std::this_thread::yield();
    std::uint32_t got[7];
    consumer.copy_out(reinterpret_cast<std::byte*>(got), words * 4);
    for (std::size_t at = 0; at < words; ++at) wrong += got[at] != expected++;
  }
  filling.join();
  EXPECT_EQ(expected, kWords);
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace xrunlab
