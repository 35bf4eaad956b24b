// Whatever went wrong in a record goes wrong in its replay: the same kind, on the same track, put down to the
// same cause, as long but for a fragment. The first replay's own record is the truth: its run file tells what
// happened in it.
#include <gtest/gtest.h>

#include <functional>

#include "tests/engine/recorded_run.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/virtual_run.hpp"

namespace xrunlab::test::replay_truth_tests {
namespace {

using namespace std::chrono_literals;

constexpr auto kFragmentNs = frames_to_duration(RecordedRun::kFragment, RecordedRun::kRate).count();

struct Happening {
  const char* name;
  const char* cause;
  std::function<void(RecordedRun&)> befalls;
};

/// The playback thread was ready, and not run, for so long up to `until`.
void queue_playback(RecordedRun& record, Nanoseconds until, Nanoseconds length) {
  for (Nanoseconds at = 0ms; at < 8s; at += 100ms) {
    Event event{};
    event.kind = EventKind::sample;
    event.at_ns = (RecordedRun::kStart + at).count();
    event.sample = {at > until ? length.count() : 0, 0, 0, 0, -1, 0, 0};
    record.events.push_back(event);
  }
}

const std::vector<Happening>& happenings() {
  static const std::vector<Happening> all{
      {"a slow read", "disk", [](RecordedRun& record) { record.slow_read(1, 60, 2300ms, 700ms); }},
      {"a late reader", "reader",
       [](RecordedRun& record) {
         Event event{};
         event.kind = EventKind::late_entry;
         event.at_ns = (RecordedRun::kStart + 2900ms).count();
         event.late_entry = {.planned_ns = (RecordedRun::kStart + 2200ms).count()};
         record.events.push_back(event);
       }},
      {"a late wake-up", "scheduler",
       [](RecordedRun& record) {
         record.wake_late(150, 200ms);
         queue_playback(record, RecordedRun::due(150) - RecordedRun::kStart, 195ms);
       }},
      {"a card that stood still", "card",
       [](RecordedRun& record) {
         for (auto& event : record.events) {
           if (event.kind != EventKind::fragment || event.fragment.index < 150) continue;
           event.at_ns += Nanoseconds{300ms}.count();
           event.fragment.planned_ns += Nanoseconds{300ms}.count();
         }
       }},
      {"a thread that was held up between two writes", "scheduler",
       [](RecordedRun& record) {
         record.events[150].fragment.t3_ns = Nanoseconds{150ms}.count();
         record.events[150].at_ns += Nanoseconds{150ms}.count();
         queue_playback(record, RecordedRun::due(150) - RecordedRun::kStart, 150ms);
       }},
  };
  return all;
}

RunData replayed(const std::filesystem::path& record, const std::optional<std::filesystem::path>& into = {}) {
  StreamRequest request;
  request.record = into;
  play_again(std::make_shared<const ReplayScript>(load_replay_script(record)), {}, request);
  const Signals signals;
  return run_in_virtual_time(request, signals).run;
}

TEST(ReplayTruth, WhatHappenedHappensAgain) {
  for (const auto& happening : happenings()) {
    SCOPED_TRACE(happening.name);
    RecordedRun record;
    happening.befalls(record);
    record.write();
    const auto own_record = record.folder / "own.trace";
    const RunData truth = replayed(record.path, own_record);
    const RunData again = replayed(own_record);
    ASSERT_FALSE(truth.episodes.empty());
    EXPECT_EQ(truth.episodes[0].cause, happening.cause);
    ASSERT_EQ(again.episodes.size(), truth.episodes.size());
    for (std::size_t index = 0; index < truth.episodes.size(); ++index) {
      EXPECT_EQ(again.episodes[index].kind, truth.episodes[index].kind);
      EXPECT_EQ(again.episodes[index].cause, truth.episodes[index].cause);
      EXPECT_EQ(again.episodes[index].evidence.track, truth.episodes[index].evidence.track);
      EXPECT_NEAR(static_cast<double>(again.episodes[index].duration_ns),
                  static_cast<double>(truth.episodes[index].duration_ns), static_cast<double>(kFragmentNs));
      EXPECT_NEAR(static_cast<double>(again.episodes[index].start_ns),
                  static_cast<double>(truth.episodes[index].start_ns),
                  2.0 * static_cast<double>(kFragmentNs));
    }
    EXPECT_EQ(again.counters.device_xruns, truth.counters.device_xruns);
    EXPECT_EQ(again.counters.starvation_episodes, truth.counters.starvation_episodes);
  }
}

TEST(ReplayTruth, EveryReplayIsTheSame) {
  for (const auto& happening : happenings()) {
    SCOPED_TRACE(happening.name);
    RecordedRun record;
    happening.befalls(record);
    record.write();
    EXPECT_EQ(replayed(record.path), replayed(record.path));
  }
}

}  // namespace
}  // namespace xrunlab::test::replay_truth_tests
