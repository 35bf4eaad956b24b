#include "xrunlab/experiment/capacity_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/sample_run.hpp"

namespace xrunlab {
namespace {

using ::testing::HasSubstr;

/// 48 tracks on a disk that could do twice as many, a fifth of the ring used.
RunData run_of_48() {
  RunData run = sample_run();
  run.verdict = Verdict::pass;
  run.inputs.resize(48);
  run.inputs.front().block_device = "vda";
  run.device.rate_hz = 48'000;
  run.device.fragment_frames = 1000;
  run.device.buffer_frames = 3000;
  run.ring.used = true;
  run.ring.frames = 240'000;
  run.ring.blocks = 20;
  run.ring.ring_needed_frames = 24'000;
  run.throughput.headroom = 2.0;
  run.throughput.sustained = true;
  run.threads.clear();
  run.episodes.clear();
  run.timers.outside.histogram = {
      .count = 10, .min_ns = 1, .max_ns = 1, .sum_ns = 10, .overflow = 0, .buckets = {}};
  return run;
}

EpisodeData dropout(const std::string& kind, const std::string& cause, std::int64_t duration_ns) {
  EpisodeData episode;
  episode.kind = kind;
  episode.cause = cause;
  episode.duration_ns = duration_ns;
  episode.evidence.detail = "because of the " + cause;
  return episode;
}

TEST(CapacityFigures, AnIdleRingLeavesTheDiskToDecide) {
  const TrialView view = capacity_view(run_of_48(), CapacityBy::tracks);
  EXPECT_EQ(view.outcome, TrialOutcome::pass);
  ASSERT_TRUE(view.edge && view.comfortable_edge);
  EXPECT_NEAR(*view.edge, 96, 1e-9);
  EXPECT_NEAR(*view.comfortable_edge, 96 / 1.1, 1e-9);
}

TEST(CapacityFigures, ARingThatIsMostlyUsedIsNearerThanTheDisk) {
  RunData run = run_of_48();
  run.ring.ring_needed_frames = 180'000;
  // Of 20 blocks two are vacant anyway: 0.75 - 0.1 of 0.9 is what the tracks use.
  EXPECT_NEAR(*capacity_view(run, CapacityBy::tracks).edge, 48 * 0.9 / 0.65, 1e-9);
}

TEST(CapacityFigures, BehindADiskThatIsTooSlowTheRingTellsNothing) {
  RunData run = run_of_48();
  run.ring.ring_needed_frames = 1'200'000;
  run.throughput.headroom = 0.57;
  EXPECT_NEAR(*capacity_view(run, CapacityBy::tracks).edge, 48 * 0.57, 1e-9);
}

TEST(CapacityFigures, AThreadThatIsAlmostAlwaysAtWorkIsNearest) {
  RunData run = run_of_48();
  run.threads = {{.name = "reader", .policy = "", .wall_ns = 1000, .user_ns = 300, .system_ns = 500}};
  EXPECT_NEAR(*capacity_view(run, CapacityBy::tracks).edge, 48 / 0.8, 1e-9);
  run.timers.outside.histogram.sum_ns = 10 * 20'000'000;  // of 20.83 ms
  EXPECT_NEAR(*capacity_view(run, CapacityBy::tracks).edge, 50, 1e-6);
}

TEST(CapacityFigures, ByRingTheEdgeIsWhatWasNeeded) {
  const TrialView view = capacity_view(run_of_48(), CapacityBy::ring);
  EXPECT_NEAR(*view.edge, 24'000, 1e-9);
  EXPECT_NEAR(*view.comfortable_edge, 30'000, 1e-9);
}

TEST(CapacityFigures, ByFragmentTheEdgeIsWhatTheGreatestLatenessLeaves) {
  RunData run = run_of_48();
  // A card of three fragments, 2,000 frames of them spare: 41.67 ms; half of that was used.
  run.lateness.histogram = {
      .count = 1, .min_ns = 0, .max_ns = 20'833'333, .sum_ns = 1, .overflow = 0, .buckets = {}};
  EXPECT_NEAR(*capacity_view(run, CapacityBy::fragment).edge, 500, 0.1);
}

TEST(CapacityFigures, ARunWithoutAVerdictSaysWhy) {
  RunData run = run_of_48();
  run.verdict = Verdict::no_verdict;
  run.reasons = {"from the cache", "too short"};
  const TrialView view = capacity_view(run, CapacityBy::tracks);
  EXPECT_EQ(view.outcome, TrialOutcome::no_verdict);
  EXPECT_EQ(view.reason, "from the cache");
}

TEST(CapacityLimit, ADiskThatGivesLessThanIsNeeded) {
  RunData run = run_of_48();
  run.throughput.sustained = false;
  run.throughput.headroom = 0.984;
  run.throughput.bytes_per_s = 20.9e6;
  const CapacityLimit limit = capacity_limit(run, 0.98);
  EXPECT_EQ(limit.resource, "disk bandwidth");
  EXPECT_EQ(limit.evidence, "disk gives 20.9 MB/s, 98.4 % of the need, vda 98 % busy");
  EXPECT_EQ(capacity_limit(run, std::nullopt).evidence, "disk gives 20.9 MB/s, 98.4 % of the need");
  run.throughput.headroom = 1.012;
  EXPECT_EQ(capacity_limit(run, std::nullopt).evidence,
            "disk gives 20.9 MB/s, 101.2 % of the need, but the rings were not all full again");
}

TEST(CapacityLimit, ASlowReaderIsNotTheDisk) {
  RunData run = run_of_48();
  run.throughput.sustained = false;
  run.threads = {{.name = "reader", .policy = "", .wall_ns = 1000, .user_ns = 300, .system_ns = 650}};
  const CapacityLimit limit = capacity_limit(run, 0.2);
  EXPECT_EQ(limit.resource, "reader CPU");
  EXPECT_THAT(limit.evidence, HasSubstr("95 %"));
}

TEST(CapacityLimit, AFragmentThatTakesItsWholeLength) {
  RunData run = run_of_48();
  run.timers.outside.histogram.sum_ns = 10 * 20'000'000;
  run.counters.device_xruns = 3;
  const CapacityLimit limit = capacity_limit(run, 0.2);
  EXPECT_EQ(limit.resource, "playback CPU");
  EXPECT_THAT(limit.evidence, HasSubstr("3 xruns: "));
}

TEST(CapacityLimit, TheCauseOfMostLostTimeDecides) {
  RunData run = run_of_48();
  run.counters.starvation_episodes = 2;
  run.episodes = {dropout("xrun", "scheduler", 5), dropout("starvation", "disk", 90),
                  dropout("pcm_write", "card", 900)};
  EXPECT_EQ(capacity_limit(run, {}).resource, "disk latency");
  EXPECT_THAT(capacity_limit(run, {}).evidence, HasSubstr("because of the disk"));
  run.episodes = {dropout("xrun", "scheduler", 5)};
  EXPECT_EQ(capacity_limit(run, {}).resource, "playback scheduling");
  run.episodes = {dropout("xrun", "card", 5)};
  EXPECT_EQ(capacity_limit(run, {}).resource, "card");
  run.episodes = {dropout("starvation", "decoder", 5)};
  EXPECT_EQ(capacity_limit(run, {}).resource, "reader");
  run.episodes = {};
  run.reasons = {"1 xrun, 0 allowed"};
  EXPECT_EQ(capacity_limit(run, {}).resource, "unknown");
  EXPECT_EQ(capacity_limit(run, {}).evidence, "1 xrun, 0 allowed");
}

}  // namespace
}  // namespace xrunlab
