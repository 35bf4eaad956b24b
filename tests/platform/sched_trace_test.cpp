#include "xrunlab/platform/sched_trace.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <set>

#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

class SchedLinesTest : public ::testing::Test {
 protected:
  SchedLinesTest() {
    lines_.watch(SampledThread::playback, 42);
    lines_.watch(SampledThread::reader, 43);
  }
  void take(std::initializer_list<const char*> lines) {
    for (const auto* line : lines) lines_.take(line, spans_);
  }

  SchedLines lines_;
  std::vector<RunnableSpan> spans_;
};

TEST_F(SchedLinesTest, FromWakingToRunningOneIsReadyAndTheThreadBeforeHadTheProcessor) {
  take(
      {"          <idle>-0       [001] d.h..    10.000100: sched_waking: comm=playback pid=42 prio=29 "
       "target_cpu=001",
       "          <idle>-0       [001] d.h..    10.010000: sched_waking: comm=playback pid=42 prio=29 "
       "target_cpu=001",
       "         my hog-77      [001] d..2.    10.058100: sched_switch: prev_comm=my hog prev_pid=77 "
       "prev_prio=9 "
       "prev_state=S ==> next_comm=playback next_pid=42 next_prio=29"});
  ASSERT_EQ(spans_.size(), 1u);
  EXPECT_EQ(spans_[0].thread, SampledThread::playback);
  EXPECT_EQ(spans_[0].span, (Span{10'000'100'000, 10'058'100'000}));
  EXPECT_EQ(spans_[0].ran_instead, "my hog (77)");
}

TEST_F(SchedLinesTest, APreemptedThreadIsReadyAndASleepingOneIsNot) {
  take(
      {"x-43 [000] d..2. 10.000000: sched_switch: prev_comm=reader prev_pid=43 prev_prio=120 prev_state=R+ "
       "==> "
       "next_comm=hog next_pid=77 next_prio=9",
       "x-77 [000] d..2. 10.300000: sched_switch: prev_comm=hog prev_pid=77 prev_prio=9 prev_state=S ==> "
       "next_comm=reader next_pid=43 next_prio=120",
       "x-43 [000] d..2. 10.400000: sched_switch: prev_comm=reader prev_pid=43 prev_prio=120 prev_state=S "
       "==> "
       "next_comm=hog next_pid=77 next_prio=9",
       "x-77 [000] d..2. 10.900000: sched_switch: prev_comm=hog prev_pid=77 prev_prio=9 prev_state=S ==> "
       "next_comm=reader next_pid=43 next_prio=120"});
  ASSERT_EQ(spans_.size(), 1u);
  EXPECT_EQ(spans_[0].thread, SampledThread::reader);
  EXPECT_EQ(spans_[0].span, (Span{10'000'000'000, 10'300'000'000}));
}

TEST_F(SchedLinesTest, OtherLinesAndBrokenOnesArePassedOver) {
  take({"", "CPU:1 [LOST 12 EVENTS]",
        ": sched_switch: ", "x 10.000000: sched_switch: prev_comm=a prev_pid=42",
        "x [000] no.time: sched_waking: comm=a pid=42 prio=1 target_cpu=0",
        "x-1 [000] d 10.000000: sched_waking: comm=a pid=99 prio=1 target_cpu=0",
        "x-1 [000] d 10.5: sched_switch: prev_comm=a prev_pid=1 prev_prio=1 prev_state=S ==> next_comm=b "
        "next_pid=42 next_prio=1"});
  EXPECT_TRUE(spans_.empty());
}

TEST(SchedTrace, WithoutTracefsItSaysHowToGetIt) {
  const FakeTree tree;
  try {
    SchedTrace trace(tree.root());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_NE(error.remedy().find("mount -t tracefs"), std::string::npos);
  }
}

// In a plain directory the instance has no files, so making it fails half-way.
TEST(SchedTrace, WhatItMadeIsGoneAgainAndSoIsWhatAKilledRunLeft) {
  FakeTree tree;
  const auto instances = std::filesystem::path(tree.directory() + "/sys/kernel/tracing/instances");
  for (const auto* name : {"xrunlab-4242", "xrunlab-4343", "xrunlab-x", "other"})
    std::filesystem::create_directories(instances / name);
  tree.file("/proc/4343/comm", "xrunlab");
  EXPECT_THROW(SchedTrace trace(tree.root()), Error);
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(instances))
    left.insert(entry.path().filename());
  EXPECT_EQ(left, (std::set<std::string>{"other", "xrunlab-4343", "xrunlab-x"}));
}

}  // namespace
}  // namespace xrunlab
