// Records of --no-ring: the playback thread's own reads take as long as they took.
#include <gtest/gtest.h>

#include "tests/engine/recorded_run.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/record_cut.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/virtual_run.hpp"

namespace xrunlab::test::replay_without_ring_tests {
namespace {

using namespace std::chrono_literals;

constexpr auto kFragmentNs = frames_to_duration(RecordedRun::kFragment, RecordedRun::kRate).count();

/// Without a ring; `slow`: so long took the reads of fragment 150.
struct RunWithoutRing : RecordedRun {
  explicit RunWithoutRing(Nanoseconds slow = 0ms) {
    for (auto& track : header.chain->tracks) track.block_bytes = track.block_count = 0;
    std::erase_if(events, [](const Event& event) { return event.kind == EventKind::read; });
    for (auto& event : events) {
      auto& fragment = event.fragment;
      fragment.fill_frames = -1;
      fragment.t1_ns = Nanoseconds{2ms}.count() + fragment.index * 1000;
      if (fragment.index == 150) fragment.t1_ns = slow.count();
      if (fragment.index > 0) fragment.t3_ns = fragment.t1_ns + 40'000;
    }
  }
};

StreamRequest request_for(const std::filesystem::path& record, const ReplayChanges& changes = {},
                          StreamRequest request = {}) {
  play_again(std::make_shared<const ReplayScript>(load_replay_script(record)), changes, request);
  return request;
}

RunData replayed(const std::filesystem::path& record, const ReplayChanges& changes = {},
                 StreamRequest request = {}) {
  const Signals signals;
  return run_in_virtual_time(request_for(record, changes, std::move(request)), signals).run;
}

TEST(ReplayWithoutRing, EachReadTakesAsLongAsItTook) {
  const RunWithoutRing record(10ms);
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.counters.frames_played, 375 * RecordedRun::kFragment);
  EXPECT_EQ(run.counters.device_xruns, 0);
  EXPECT_EQ(run.timers.ring_read.histogram.max_ns, Nanoseconds{10ms}.count());
  EXPECT_EQ(run.timers.ring_read.histogram.min_ns, Nanoseconds{2ms}.count());
  EXPECT_FALSE(run.ring.used);
  EXPECT_TRUE(run.episodes.empty());
}

TEST(ReplayWithoutRing, ASlowReadRunsTheCardDryAndIsTheDisks) {
  const RunWithoutRing record(300ms);
  record.write();
  const RunData run = replayed(record.path);
  ASSERT_EQ(run.counters.device_xruns, 1);
  // The card held four fragments.
  EXPECT_NEAR(static_cast<double>(run.xruns[0].dry_ns.value()),
              static_cast<double>(Nanoseconds{300ms - 85ms}.count()), 2.0 * static_cast<double>(kFragmentNs));
  ASSERT_FALSE(run.episodes.empty());
  EXPECT_EQ(run.episodes[0].cause, "disk");
  StreamRequest larger;
  larger.card.buffer = 24 * RecordedRun::kFragment;
  EXPECT_EQ(replayed(record.path, {.buffer = true}, larger).counters.device_xruns, 0) << "500 ms of card";
}

TEST(ReplayWithoutRing, EveryReplayIsTheSameAndSoIsThatOfItsRecord) {
  const RunWithoutRing record(300ms);
  record.write();
  StreamRequest recorded;
  recorded.record = record.folder / "again.trace";
  const RunData first = replayed(record.path, {}, recorded);
  EXPECT_EQ(first, replayed(record.path));
  const RunData again = replayed(record.folder / "again.trace");
  ASSERT_EQ(again.episodes.size(), first.episodes.size());
  for (std::size_t index = 0; index < first.episodes.size(); ++index) {
    EXPECT_EQ(again.episodes[index].kind, first.episodes[index].kind);
    EXPECT_EQ(again.episodes[index].cause, first.episodes[index].cause);
    EXPECT_NEAR(static_cast<double>(again.episodes[index].duration_ns),
                static_cast<double>(first.episodes[index].duration_ns), static_cast<double>(kFragmentNs));
  }
}

TEST(ReplayWithoutRing, AFailedReadFailsAgain) {
  RunWithoutRing record(10ms);
  std::erase_if(record.events, [](const Event& event) { return event.fragment.index >= 200; });
  Event event{};
  event.kind = EventKind::input_failed;
  event.at_ns = record.events.back().at_ns + 50'000'000;
  event.input_failed = {.offset = 409'600, .submitted_ns = event.at_ns, .track = 1, .error_number = EIO};
  record.events.push_back(event);
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_EQ(run.ended_by, "input");
  EXPECT_EQ(run.counters.fragments, 200);
  EXPECT_NE(run.error.find("second.wav"), std::string::npos) << run.error;
  // And the record of that replay tells it too.
  StreamRequest recorded;
  recorded.record = record.folder / "again.trace";
  replayed(record.path, {}, recorded);
  EXPECT_EQ(replayed(record.folder / "again.trace").ended_by, "input");
}

TEST(ReplayWithoutRing, RefusesOtherReads) {
  const RunWithoutRing record(10ms);
  record.write();
  for (const ReplayChanges& changes :
       {ReplayChanges{.ring = true}, ReplayChanges{.io_size = true}, ReplayChanges{.queue_depth = true},
        ReplayChanges{.period = true}, ReplayChanges{.fragment = true}, ReplayChanges{.on_starve = true}}) {
    EXPECT_THROW(request_for(record.path, changes), Error);
  }
}

TEST(ReplayWithoutRing, ItsWorstMomentCanBeCutOut) {
  const RunWithoutRing record(300ms);
  record.write();
  StreamRequest recorded;
  recorded.record = record.folder / "whole.trace";  // with its episodes
  const RunData whole = replayed(record.path, {}, recorded);
  const auto cut =
      cut_worst_episode(record.folder / "whole.trace", record.folder / "piece.trace", TrackNames::kept);
  EXPECT_LT(cut.length, 6s);
  const RunData piece = replayed(record.folder / "piece.trace");
  ASSERT_FALSE(piece.episodes.empty());
  EXPECT_EQ(piece.episodes[0].cause, "disk");
  EXPECT_EQ(piece.counters.device_xruns, whole.counters.device_xruns);
}

}  // namespace
}  // namespace xrunlab::test::replay_without_ring_tests
