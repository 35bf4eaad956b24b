// Other rings than the recorded one meet in play what was met in play.
#include "xrunlab/engine/lead_in.hpp"

#include <gtest/gtest.h>

#include "tests/engine/recorded_run.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/virtual_run.hpp"

namespace xrunlab::test::lead_in_tests {
namespace {

using namespace std::chrono_literals;

/// The record with another ring; the lead-in is long enough for `largest`, or there is none.
RunData with_ring(const RecordedRun& record, Nanoseconds ring, std::optional<Nanoseconds> largest) {
  auto script = load_replay_script(record.path);
  if (largest) {
    const Frames frames = duration_to_frames_ceil(*largest, RecordedRun::kRate);
    script = with_lead_in(script, lead_in_frames(script, frames));
  }
  StreamRequest request;
  request.disk.ring = ring;
  play_again(std::make_shared<const ReplayScript>(std::move(script)), {.ring = true}, request);
  const Signals signals;
  return run_in_virtual_time(request, signals).run;
}

TEST(LeadIn, ASlowReadNearTheStartIsNotPrimedByALargeRing) {
  RecordedRun record;
  record.slow_read(1, 30, 1s, 3s);  // at 1.28 s of the track
  record.write();
  EXPECT_EQ(with_ring(record, 2s, std::nullopt).counters.starvation_episodes, 0) << "by luck";
  EXPECT_EQ(with_ring(record, 2s, 4s).counters.starvation_episodes, 1);
  EXPECT_EQ(with_ring(record, 4s, 4s).counters.starvation_episodes, 0);
}

TEST(LeadIn, WhatIsNeededDoesNotDependOnWhereTheSlowReadIs) {
  std::vector<Frames> needed;
  for (const std::int64_t block : {10, 30, 100, 150}) {
    RecordedRun record;
    record.slow_read(1, block, 43ms * (block - RecordedRun::kBlocks), 1s);
    record.write();
    const RunData run = with_ring(record, 4s, 4s);
    EXPECT_EQ(run.counters.starvation_episodes, 0) << block;
    ASSERT_TRUE(run.ring.ring_needed_frames);
    needed.push_back(*run.ring.ring_needed_frames);
  }
  for (const Frames frames : needed) EXPECT_EQ(frames, needed.front());
}

TEST(LeadIn, AllElseHappensSoMuchLater) {
  RecordedRun record;
  record.wake_late(150, 200ms);
  record.slow_read(1, 100, 4s, 700ms);
  record.write();
  const auto script = load_replay_script(record.path);
  const Frames frames = lead_in_frames(script, 48'000);
  ASSERT_GE(frames, 48'000);
  EXPECT_EQ(frames % RecordedRun::kFragment, 0);
  const auto later_ns = frames_to_duration(frames, RecordedRun::kRate).count();
  const RunData plain = with_ring(record, 256ms, std::nullopt);
  const RunData led = with_ring(record, 256ms, 1s);
  ASSERT_GE(plain.xruns.size(), 1U);
  ASSERT_EQ(led.xruns.size(), plain.xruns.size());
  for (std::size_t index = 0; index < plain.xruns.size(); ++index) {
    EXPECT_EQ(led.xruns[index].dry_ns, plain.xruns[index].dry_ns);
    EXPECT_NEAR(static_cast<double>(led.xruns[index].at_ns - plain.xruns[index].at_ns),
                static_cast<double>(later_ns), 2e6);
  }
  ASSERT_EQ(led.starvations.size(), plain.starvations.size());
  EXPECT_EQ(led.starvations[0].duration_ns, plain.starvations[0].duration_ns);
}

TEST(LeadIn, IsNoneOfLoopedTracks) {
  RecordedRun record;
  record.header.chain->looping = true;
  record.write();
  EXPECT_EQ(lead_in_frames(load_replay_script(record.path), 48'000), 0);
}

}  // namespace
}  // namespace xrunlab::test::lead_in_tests
