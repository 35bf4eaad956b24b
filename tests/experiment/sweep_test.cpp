#include "xrunlab/experiment/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace xrunlab {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

/// Runs that take `length` of a fake clock's time, and end as told.
struct FakeRuns {
  FakeClock clock;
  SweepPlan plan;
  Nanoseconds length = seconds{10};
  SweepEnd end = SweepEnd::complete;
  int ends_at = 0;          ///< number of the run that ends so
  int signal_in_pause = 0;  ///< counted from 1
  std::vector<int> made;
  std::vector<SweepProgress> shown;
  int pauses = 0;

  explicit FakeRuns(int runs) {
    SweepManifest sweep;
    sweep.axes = {{"ring", {"1s", "2s"}}};
    sweep.runs = runs;
    sweep.warm_ups = 0;
    plan = plan_sweep(sweep);
  }

  SweepResult go(const std::set<int>& recorded = {}) {
    const SweepActions actions{.run =
                                   [this](const SweepRun& run, const SweepProgress& progress) {
                                     made.push_back(run.number);
                                     shown.push_back(progress);
                                     clock.advance(length);
                                     return run.number == ends_at ? end : SweepEnd::complete;
                                   },
                               .cool_down =
                                   [this](Nanoseconds time) {
                                     EXPECT_EQ(time, seconds{5});
                                     clock.advance(time);
                                     return ++pauses != signal_in_pause;
                                   }};
    return make_runs(plan, recorded, {seconds{8}, seconds{5}}, clock, actions);
  }
};

TEST(Sweep, MakesEveryRunOnceWithAPauseBetweenTwo) {
  FakeRuns fake(3);
  const SweepResult result = fake.go();
  EXPECT_EQ(result.end, SweepEnd::complete);
  EXPECT_EQ(result.recorded, 6);
  EXPECT_EQ(result.left, 0);
  EXPECT_EQ(result.at, nullptr);
  EXPECT_THAT(fake.made, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(fake.pauses, 5);
}

TEST(Sweep, TheTimeLeftIsReckonedFromWhatRunsTook) {
  FakeRuns fake(2);
  fake.go();
  ASSERT_EQ(fake.shown.size(), 4U);
  EXPECT_EQ(fake.shown[0].left, seconds{4 * 8 + 3 * 5});
  EXPECT_EQ(fake.shown[1].left, seconds{3 * 10 + 2 * 5});
  EXPECT_EQ(fake.shown[3].left, seconds{10});
  EXPECT_EQ(fake.shown[3].done, 3);
  EXPECT_EQ(fake.shown[3].total, 4);
}

TEST(Sweep, PassesOverWhatIsRecorded) {
  FakeRuns fake(3);
  const SweepResult result = fake.go({1, 2, 4});
  EXPECT_THAT(fake.made, ElementsAre(3, 5, 6));
  EXPECT_EQ(result.recorded, 3);
  EXPECT_EQ(fake.shown[0].done, 3);
  EXPECT_EQ(fake.shown[0].total, 6);
  EXPECT_EQ(fake.shown[0].left, seconds{3 * 8 + 2 * 5});
}

TEST(Sweep, AFailedRunEndsItAndIsNotRecorded) {
  FakeRuns fake(3);
  fake.end = SweepEnd::failed;
  fake.ends_at = 3;
  const SweepResult result = fake.go();
  EXPECT_EQ(result.end, SweepEnd::failed);
  EXPECT_EQ(result.recorded, 2);
  EXPECT_EQ(result.left, 4);
  ASSERT_NE(result.at, nullptr);
  EXPECT_EQ(result.at->number, 3);
}

TEST(Sweep, ASignalEndsItInARunAndInAPause) {
  FakeRuns fake(3);
  fake.end = SweepEnd::interrupted;
  fake.ends_at = 2;
  EXPECT_EQ(fake.go().end, SweepEnd::interrupted);
  FakeRuns pausing(3);
  pausing.signal_in_pause = 2;
  const SweepResult result = pausing.go();
  EXPECT_EQ(result.end, SweepEnd::interrupted);
  EXPECT_EQ(result.recorded, 2);
  EXPECT_EQ(result.at->number, 3);
}

// Wherever it is interrupted, going on makes just the rest.
TEST(Sweep, InterruptedAnywhereAndGoneOnEveryRunIsMadeOnce) {
  for (int number = 1; number <= 6; ++number) {
    FakeRuns fake(3);
    fake.end = SweepEnd::interrupted;
    fake.ends_at = number;
    const SweepResult first = fake.go();
    std::set<int> recorded;
    for (int done = 1; done <= first.recorded; ++done) recorded.insert(done);
    fake.ends_at = 0;
    fake.made.clear();
    const SweepResult second = fake.go(recorded);
    EXPECT_EQ(second.end, SweepEnd::complete);
    std::vector<int> rest(static_cast<std::size_t>(7 - number));
    std::iota(rest.begin(), rest.end(), number);
    EXPECT_EQ(fake.made, rest);
  }
}

TEST(Sweep, NothingLeftIsNoWork) {
  FakeRuns fake(1);
  const SweepResult result = fake.go({1, 2});
  EXPECT_EQ(result.end, SweepEnd::complete);
  EXPECT_EQ(result.recorded, 0);
  EXPECT_TRUE(fake.made.empty());
}

}  // namespace
}  // namespace xrunlab
