// What the reader tells about itself beside its reads: by this an episode is put down to it or to the disk.
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/disk/reader_bench.hpp"
#include "xrunlab/disk/disk_reader.hpp"

namespace xrunlab::test {
namespace {

using namespace std::chrono_literals;

TEST(ReaderEvents, AnEntryLaterThanPlannedIsAnEventAndItsReadsAreTheDisksUpToThePlan) {
  EventQueue<Event> queue(100);
  ReaderBench bench({.sizes = {100 * kBlock}, .events = std::move(queue.producer)});
  bench.prime();
  Event event;
  while (queue.consumer.pop(&event, 1) == 1) EXPECT_EQ(event.kind, EventKind::read);
  bench.play(2 * kBlock);
  const auto asleep = bench.clock.now();
  bench.clock.advance(300ms);  // between two turns: it was not run
  bench.reader->step();
  ASSERT_EQ(queue.consumer.pop(&event, 1), 1u);
  EXPECT_EQ(event.kind, EventKind::late_entry);
  EXPECT_EQ(event.late_entry.planned_ns, asleep.count());
  EXPECT_EQ(event.at_ns, (asleep + 300ms).count());
  for (std::uint32_t left = 2; left > 0; --left) {
    while (queue.consumer.pop(&event, 1) == 0) bench.reader->step();
    EXPECT_EQ(event.kind, EventKind::read);
    EXPECT_EQ(event.read.in_flight, left);
    EXPECT_GE(event.read.submitted_ns, (asleep + 300ms).count());
    EXPECT_LE(event.read.completed_ns, event.at_ns);
  }
}

TEST(ReaderEvents, AFailedReadIsAnEventWithItsOwnTime) {
  EventQueue<Event> queue(100);
  ReaderBench bench({.sizes = {100 * kBlock},
                     .disk = {.script = {{.read = 1, .latency = 7ms, .error_number = EIO}}},
                     .events = std::move(queue.producer)});
  const auto start = bench.clock.now();
  while (!bench.reader->input_failure()) bench.reader->step();
  Event event;
  do {
    ASSERT_EQ(queue.consumer.pop(&event, 1), 1u);
  } while (event.kind != EventKind::input_failed);
  EXPECT_EQ(event.input_failed.offset, kBlock);
  EXPECT_EQ(event.input_failed.error_number, EIO);
  EXPECT_EQ(event.input_failed.submitted_ns, start.count());
  EXPECT_EQ(event.at_ns, (start + 7ms).count());
}

}  // namespace
}  // namespace xrunlab::test
