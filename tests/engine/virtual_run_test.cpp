// Replays in virtual time: what is in a record happens again, and the same each time.
#include "xrunlab/engine/virtual_run.hpp"

#include <gtest/gtest.h>

#include "tests/engine/recorded_run.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"

namespace xrunlab::test::virtual_run_tests {
namespace {

using namespace std::chrono_literals;

constexpr auto kFragmentNs = frames_to_duration(RecordedRun::kFragment, RecordedRun::kRate).count();

RunData replayed(const std::filesystem::path& record, const ReplayChanges& changes = {},
                 StreamRequest request = {}) {
  play_again(std::make_shared<const ReplayScript>(load_replay_script(record)), changes, request);
  const Signals signals;
  return run_in_virtual_time(request, signals).run;
}

TEST(VirtualRun, AQuietRecordIsAQuietRun) {
  const RecordedRun record;
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.ended_by, "duration");
  EXPECT_EQ(run.kind, "replay");
  EXPECT_EQ(run.replay_of, "run.trace");
  EXPECT_EQ(run.verdict, Verdict::no_verdict);
  EXPECT_EQ(run.counters.starved_reads, 0);
  EXPECT_EQ(run.counters.device_xruns, 0);
  EXPECT_EQ(run.counters.frames_played, 375 * RecordedRun::kFragment);
  EXPECT_TRUE(run.episodes.empty());
  for (const auto& check : run.self_checks) EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
}

TEST(VirtualRun, ASlowReadStarvesItsTrackByWhatTheRingLacked) {
  RecordedRun record;
  record.slow_read(1, 30, 1s, 700ms);
  record.write();
  const RunData run = replayed(record.path);
  ASSERT_EQ(run.counters.starvation_episodes, 1);
  EXPECT_EQ(run.starvations[0].track, 1);
  // The ring lasts 256 ms; how much of it was left when the read was submitted depends on the blocks.
  EXPECT_GE(run.starvations[0].duration_ns, Nanoseconds{700ms - 256ms}.count() - kFragmentNs);
  EXPECT_LE(run.starvations[0].duration_ns, Nanoseconds{700ms - 170ms}.count() + kFragmentNs);
  ASSERT_FALSE(run.episodes.empty());
  EXPECT_EQ(run.episodes[0].kind, "starvation");
  EXPECT_EQ(run.episodes[0].cause, "disk");
  EXPECT_EQ(replayed(record.path, {.ring = true}).counters.starvation_episodes, 0)
      << "with the usual five seconds";
}

TEST(VirtualRun, ARecordOfAReplayGivesTheSameEpisodes) {
  RecordedRun record;
  record.slow_read(0, 30, 1s, 700ms);
  record.slow_read(1, 100, 4s, 600ms);
  record.wake_late(300, 150ms);
  record.write();
  StreamRequest recording;
  recording.record = record.folder / "again.trace";
  const RunData first = replayed(record.path, {}, recording);
  ASSERT_EQ(first.counters.starvation_episodes, 2);
  const RunData second = replayed(*recording.record);
  ASSERT_EQ(second.episodes.size(), first.episodes.size());
  for (std::size_t index = 0; index < first.episodes.size(); ++index) {
    EXPECT_EQ(second.episodes[index].kind, first.episodes[index].kind);
    EXPECT_EQ(second.episodes[index].cause, first.episodes[index].cause);
    EXPECT_EQ(second.episodes[index].evidence.track, first.episodes[index].evidence.track);
    EXPECT_NEAR(static_cast<double>(second.episodes[index].duration_ns),
                static_cast<double>(first.episodes[index].duration_ns), static_cast<double>(kFragmentNs));
    EXPECT_NEAR(static_cast<double>(second.episodes[index].start_ns),
                static_cast<double>(first.episodes[index].start_ns), static_cast<double>(kFragmentNs));
  }
}

TEST(VirtualRun, EveryReplayOfARecordIsTheSame) {
  RecordedRun record;
  record.slow_read(1, 30, 1s, 700ms);
  record.wake_late(200, 120ms);
  record.write();
  StreamRequest request;
  request.faults = FaultPlan{.specs = {parse_fault("read-delay:p=0.01,ms=400")}, .seed = 3};
  EXPECT_EQ(replayed(record.path, {}, request), replayed(record.path, {}, request));
}

TEST(VirtualRun, ALateWakeUpRunsTheCardDryAndIsTheSchedulers) {
  RecordedRun record;
  record.wake_late(150, 200ms);
  std::int64_t queued_ns = 0;
  for (Nanoseconds at = 0ms; at < 8s; at += 100ms) {
    Event event{};
    event.kind = EventKind::sample;
    const Nanoseconds instant = RecordedRun::kStart + at;
    event.at_ns = instant.count();
    if (instant > RecordedRun::due(150) && queued_ns == 0) queued_ns = Nanoseconds{195ms}.count();
    event.sample = {queued_ns, 0, 0, 0, -1, 0, 0};
    record.events.push_back(event);
  }
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_EQ(run.counters.starved_reads, 0);
  ASSERT_EQ(run.counters.device_xruns, 1);
  // The buffer of 85 ms had one fragment of room when the wake-up was due.
  ASSERT_TRUE(run.xruns[0].dry_ns);
  EXPECT_NEAR(static_cast<double>(run.xruns[0].dry_ns.value()),
              static_cast<double>(Nanoseconds{200ms - 64ms}.count()), static_cast<double>(kFragmentNs));
  ASSERT_FALSE(run.episodes.empty());
  EXPECT_EQ(run.episodes[0].kind, "xrun");
  EXPECT_EQ(run.episodes[0].cause, "scheduler");
}

TEST(VirtualRun, AReaderThatWasNotLetRunIsBlamed) {
  RecordedRun record;
  Event event{};
  event.kind = EventKind::late_entry;
  event.at_ns = (RecordedRun::kStart + 2900ms).count();
  event.late_entry = {.planned_ns = (RecordedRun::kStart + 2200ms).count()};
  record.events.push_back(event);
  record.write();
  const RunData run = replayed(record.path);
  ASSERT_EQ(run.counters.starvation_episodes, 1);
  ASSERT_FALSE(run.episodes.empty());
  EXPECT_EQ(run.episodes[0].cause, "reader");
}

TEST(VirtualRun, ACardThatStoodStillDoesSoAgain) {
  RecordedRun record;
  for (auto& event : record.events) {
    if (event.kind != EventKind::fragment || event.fragment.index < 150) continue;
    event.at_ns += Nanoseconds{300ms}.count();
    event.fragment.planned_ns += Nanoseconds{300ms}.count();
  }
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_EQ(run.counters.device_xruns, 0);
  ASSERT_EQ(run.episodes.size(), 1U);
  EXPECT_EQ(run.episodes[0].kind, "pcm_write");
  EXPECT_EQ(run.episodes[0].cause, "card");
}

TEST(VirtualRun, ARecordThatEndedInAHangEndsSo) {
  RecordedRun record(3s);
  record.slow_read(1, 40, 1500ms, 1500ms);
  record.events.back().read.size = 0;
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.ended_by, "record");
  ASSERT_EQ(run.counters.starvation_episodes, 1);
  EXPECT_EQ(run.starvations[0].track, 1);
}

TEST(VirtualRun, AReadThatFailedFailsAgain) {
  RecordedRun record;
  Event event{};
  event.kind = EventKind::input_failed;
  event.at_ns = (RecordedRun::kStart + 1s).count();
  event.input_failed = {
      .offset = 50 * RecordedRun::kBlock, .submitted_ns = event.at_ns - 5, .track = 0, .error_number = EIO};
  record.events.push_back(event);
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_EQ(run.ended_by, "input");
  EXPECT_NE(run.error.find("first.wav"), std::string::npos) << run.error;
}

TEST(VirtualRun, RefusesWhatNeedsRealTime) {
  const RecordedRun record(3s);
  record.write();
  StreamRequest request;
  request.card.device = "null";
  EXPECT_THROW(replayed(record.path, {.card = true}, request), Error);
  request = {};
  request.faults = FaultPlan{.specs = {parse_fault("reader-delay:at=1s,ms=100")}, .seed = 1};
  EXPECT_THROW(replayed(record.path, {}, request), Error);
}

TEST(ReplayInRealTime, TellsTheRunSoFar) {
  const RecordedRun record(2s);
  record.write();
  StreamRequest request;
  request.realtime.lock = MemoryLockMode::off;
  request.realtime.playback = SchedSpec{};
  play_again(std::make_shared<const ReplayScript>(load_replay_script(record.path)), {}, request);
  std::vector<RunData> so_far;
  StreamListeners listeners;
  listeners.so_far = [&so_far](const RunData& run) { so_far.push_back(run); };
  listeners.so_far_interval = 300ms;
  const Signals signals;
  const RunData run = run_stream(request, signals, listeners).run;
  EXPECT_TRUE(run.complete);
  ASSERT_GE(so_far.size(), 2U);
  EXPECT_FALSE(so_far.back().complete);
  EXPECT_EQ(so_far.back().verdict, Verdict::no_verdict);
  EXPECT_GT(so_far.back().counters.fragments, so_far.front().counters.fragments);
  EXPECT_LE(so_far.back().counters.fragments, run.counters.fragments);
  EXPECT_GT(so_far.front().throughput.bytes_read, 0);
}

TEST(ReplayScript, RefusesRecordsThatCannotBePlayed) {
  const auto refused = [](auto change) {
    RecordedRun record(1s);
    change(record);
    record.write();
    try {
      load_replay_script(record.path);
    } catch (const Error& error) {
      return error.code() == ExitCode::input_file;
    }
    return false;
  };
  EXPECT_FALSE(refused([](RecordedRun&) {}));
  EXPECT_TRUE(refused([](RecordedRun& record) { record.header.chain.reset(); }));
  EXPECT_TRUE(refused([](RecordedRun& record) { record.header.chain->paced = false; }));
  EXPECT_TRUE(refused([](RecordedRun& record) { record.header.chain->tracks[1].decoded = true; }));
  EXPECT_TRUE(refused([](RecordedRun& record) {
    record.header.chain->tracks[0].block_bytes = 0;
    record.header.chain->tracks[0].block_count = 0;
  }));
  EXPECT_TRUE(refused([](RecordedRun& record) { record.header.rate.hz = 0; }));
  EXPECT_TRUE(refused([](RecordedRun& record) { record.events.clear(); })) << "the card never started";
}

}  // namespace
}  // namespace xrunlab::test::virtual_run_tests
