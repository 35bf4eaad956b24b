#include "xrunlab/report/play_timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "tests/report/plotted_run.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/timing/trace_writer.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

TEST(PlayTimeline, ManyWindowsAreJoinedToTheWorst) {
  RunData run = plotted_run();
  run.windows.assign(1500, run.windows[0]);
  for (std::size_t index = 0; index < run.windows.size(); ++index)
    run.windows[index].start_ns = static_cast<std::int64_t>(index) * 10 * kNsPerSecond;
  run.windows[4].ring_read_max_ns = 77 * kPlottedMs;
  run.windows[5].ring_low_water_frames = 7;
  run.window.exposure_ns = 15'000 * kNsPerSecond;
  const PlayTimeline timeline = timeline_of_run(run);
  ASSERT_THAT(timeline.spans, SizeIs(500));
  EXPECT_EQ(timeline.spans[1].start_ns, 30 * kNsPerSecond);
  EXPECT_EQ(timeline.spans[1].end_ns, 60 * kNsPerSecond);
  EXPECT_EQ(timeline.spans[1].ring_read_ns, 77 * kPlottedMs);
  EXPECT_EQ(timeline.spans[1].ring_left_frames, 7);
  EXPECT_THAT(timeline.resolution, HasSubstr("30 s (run file)"));
}

/// A record of plotted_run(): 250 fragments, of which those from `left_out` to `until` are missing.
class PlayRecord : public ::testing::Test {
 protected:
  PlayRecord() {
    std::string name = (fs::temp_directory_path() / "xrunlab-plot-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ / "run.trace";
    run_.counters.fragments = 250;
    run_.timers.ring_read.histogram.sum_ns = 250 * kPlottedMs;
  }
  ~PlayRecord() override { fs::remove_all(folder_); }

  void record(std::int64_t left_out = 0, std::int64_t until = 0,
              std::int64_t unix_ns = 1796055460 * kNsPerSecond) {
    TraceHeader header{.rate = {48000},
                       .fragment = 4800,
                       .buffer = 14400,
                       .bound = Nanoseconds{100 * kPlottedMs},
                       .start = Nanoseconds{1000 * kNsPerSecond},
                       .start_unix_ns = unix_ns};
    TraceWriter writer(path_, header);
    for (std::int64_t index = 0; index < 250; ++index) {
      if (index >= left_out && index < until) continue;
      Event event{};
      event.kind = EventKind::fragment;
      // The card starts at 1001 s with the third fragment; the last write ends 25 s later.
      event.at_ns = 1001 * kNsPerSecond + 25 * kNsPerSecond * (index - 2) / 247;
      event.fragment = {.index = index,
                        .t1_ns = index == slow_ ? 950 * kPlottedMs : kPlottedMs,
                        .t2_ns = 90 * kPlottedMs,
                        .t3_ns = index == 0       ? -1
                                 : index == slow_ ? 960 * kPlottedMs
                                                  : 2 * kPlottedMs,
                        .planned_ns = -1,
                        .fill_frames = 200'000 - 100 * index,
                        .slack_frames = index < 3 ? -1 : 9600};
      writer.add(event);
    }
    writer.finish(0);
  }
  PlayTimeline timeline() const { return timeline_of_record(path_, "run.trace", run_); }

  std::int64_t slow_ = -1;  ///< the fragment whose read takes a second
  fs::path folder_;
  fs::path path_;
  RunData run_ = plotted_run();
};

TEST_F(PlayRecord, EachTwoFragmentsAreAStep) {
  record();
  const PlayTimeline found = timeline();
  EXPECT_EQ(found.resolution, "200 ms (record)");
  EXPECT_EQ(found.lacks, "");
  ASSERT_GE(found.spans.size(), 120u);
  ASSERT_LE(found.spans.size(), 125u);
  EXPECT_EQ(found.spans.front().start_ns, 0);
  for (std::size_t index = 1; index < found.spans.size(); ++index)
    EXPECT_EQ(found.spans[index - 1].end_ns, found.spans[index].start_ns) << index;
  EXPECT_EQ(found.spans.back().end_ns, 25 * kNsPerSecond);
  EXPECT_EQ(found.spans.back().ring_left_frames, 200'000 - 24'900 - 4800);
  EXPECT_EQ(found.spans.back().slack_left_frames, 9600);
  EXPECT_EQ(found.spans.back().outside_ns, 2 * kPlottedMs);
}

TEST_F(PlayRecord, ALongReadLiesWhereItWas) {
  slow_ = 101;  // written at 10.02 s, read from 8.97 s on
  run_.timers.ring_read.histogram.sum_ns += 949 * kPlottedMs;
  record(91, 101);
  for (const auto& span : timeline().spans) {
    const bool meanwhile = span.end_ns > 8'971 * kPlottedMs && span.start_ns < 9'930 * kPlottedMs;
    EXPECT_EQ(span.ring_read_ns.value_or(0) > 900 * kPlottedMs, meanwhile) << span.start_ns;
  }
}

TEST_F(PlayRecord, WhatIsMissingIsLeftOpen) {
  record(100, 200);
  const PlayTimeline found = timeline();
  EXPECT_EQ(found.lacks, "100 fragments of 250 are not in the record");
  std::size_t holes = 0;
  for (std::size_t index = 1; index < found.spans.size(); ++index)
    holes += found.spans[index - 1].end_ns < found.spans[index].start_ns ? 1 : 0;
  EXPECT_EQ(holes, 1u);
}

TEST_F(PlayRecord, OneWithoutItsEndOrStartHasNoPlace) {
  record(240, 250);
  EXPECT_THROW(timeline(), Error);
}

TEST_F(PlayRecord, AnotherRunsIsRefused) {
  const auto refusal = [this] {
    try {
      timeline();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  record();
  EXPECT_EQ(refusal(), "");
  run_.timers.ring_read.histogram.sum_ns += 1;
  EXPECT_THAT(refusal(), HasSubstr("run.trace: is not the record of this run"));
  run_.timers.ring_read.histogram.sum_ns -= 1;
  run_.device.buffer_frames = 9600;
  EXPECT_THAT(refusal(), HasSubstr("is not the record"));
  run_.device.buffer_frames = 14400;
  run_.start = "2026-11-30T16:17:50Z";
  EXPECT_THAT(refusal(), HasSubstr("is not the record"));
}

}  // namespace
}  // namespace xrunlab
