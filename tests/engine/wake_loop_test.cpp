#include "xrunlab/engine/wake_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <time.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

#include "tests/engine/allocation_trap.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/sample_file.hpp"
#include "xrunlab/engine/timer_wakes.hpp"
#include "xrunlab/model/latency.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kFirst = 1001s;
constexpr Nanoseconds kEvery = 1ms;

/// Virtual time in which sleeping takes too long: by the next of `delays`, none when they are used up.
class LateClock final : public Clock {
 public:
  explicit LateClock(std::vector<Nanoseconds> delays) : delays_(std::move(delays)) {}

  Nanoseconds now() const noexcept override { return now_; }
  void sleep_until(Nanoseconds instant) noexcept override {
    now_ = std::max(now_, instant);
    if (sleeps_ < delays_.size()) now_ += delays_[sleeps_];
    ++sleeps_;
    if (stop_at && now_ >= *stop_at) stop = true;
  }

  std::size_t sleeps() const noexcept { return sleeps_; }

  std::atomic<bool> stop{false};
  std::optional<Nanoseconds> stop_at;

 private:
  Nanoseconds now_ = 1000s;
  std::vector<Nanoseconds> delays_;
  std::size_t sleeps_ = 0;
};

/// A loop on nanosleep in virtual time.
struct LateRun {
  explicit LateRun(std::vector<Nanoseconds> delays, std::int64_t loops, std::optional<Nanoseconds> limit = {},
                   Nanoseconds interval = kEvery)
      : clock(std::move(delays)), source(interval, clock, clock.stop), queue(1024) {
    const WakeLoop::Parts parts{
        .source = source, .counts = *counts, .clock = clock, .stop = clock.stop, .samples = &queue.producer};
    loop = std::make_unique<WakeLoop>(WakeLoopConfig{.loops = loops, .limit = limit}, parts);
  }

  std::vector<std::int64_t> lateness_us() {
    std::vector<WakeSample> samples(1024);
    samples.resize(queue.consumer.pop(samples.data(), samples.size()));
    std::vector<std::int64_t> lateness;
    for (std::size_t index = 0; index < samples.size(); ++index) {
      lateness.push_back(samples[index].late_ns / 1000);
      EXPECT_EQ(samples[index].planned_ns,
                (kFirst + static_cast<std::int64_t>(index) * source.interval()).count())
          << "every planned instant, in order";
    }
    return lateness;
  }

  LateClock clock;
  NanosleepWakes source;
  EventQueue<WakeSample> queue;
  std::unique_ptr<WakeCounts> counts = std::make_unique<WakeCounts>();
  std::unique_ptr<WakeLoop> loop;
};

TEST(WakeLoop, CountsHowLateEachWakeUpIs) {
  LateRun run({3us, 5us, 4us}, 3);
  EXPECT_EQ(run.loop->run(kFirst), WakeEnd::loops);
  EXPECT_EQ(run.lateness_us(), (std::vector<std::int64_t>{3, 5, 4}));
  const auto all = run.counts->all.snapshot();
  EXPECT_EQ(all.count, 3);
  EXPECT_EQ(all.min_ns, 3'000);
  EXPECT_EQ(all.max_ns, 5'000);
  EXPECT_EQ(all.sum_ns, 12'000);
  EXPECT_EQ(all, run.counts->as_cyclictest.snapshot());
  EXPECT_EQ(run.counts->missed, 0);
  EXPECT_EQ(run.counts->last_ns, 4'000);
  EXPECT_EQ(run.clock.now(), kFirst + 2ms + 4us) << "absolute instants: lateness does not add up";
}

TEST(WakeLoop, AStallCountsWithEveryWakeUpThatWasPlannedInIt) {
  LateRun run({2us, 5500us, 3us}, 10);
  EXPECT_EQ(run.loop->run(kFirst), WakeEnd::loops);
  EXPECT_EQ(run.lateness_us(), (std::vector<std::int64_t>{2, 5500, 4500, 3500, 2500, 1500, 500, 3, 0, 0}));
  EXPECT_EQ(run.counts->missed, 5);
  EXPECT_EQ(run.counts->all.count(), 10);
  const auto woken = run.counts->as_cyclictest.snapshot();
  EXPECT_EQ(woken.count, 5);
  EXPECT_EQ(woken.sum_ns, 5'505'000) << "cyclictest has one late sample for the whole stall";
  EXPECT_EQ(woken.max_ns, run.counts->all.max_ns());
}

TEST(WakeLoop, AWakeUpPlannedForTheVeryMomentIsNotMissed) {
  LateRun run({2ms}, 4);
  EXPECT_EQ(run.loop->run(kFirst), WakeEnd::loops);
  EXPECT_EQ(run.lateness_us(), (std::vector<std::int64_t>{2000, 1000, 0, 0}));
  EXPECT_EQ(run.counts->missed, 1);
}

TEST(WakeLoop, AStallAtTheEndCountsNoMoreThanWasPlanned) {
  LateRun run({0us, 100ms}, 4);
  EXPECT_EQ(run.loop->run(kFirst), WakeEnd::loops);
  EXPECT_EQ(run.counts->all.count(), 4);
  EXPECT_EQ(run.counts->missed, 2);
}

/// What cyclictest makes of the same delays: after each wake-up it goes on from the first instant that is not
/// past.
TEST(WakeLoop, TheOtherFigureIsThatOfCyclictest) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> length_us(0, 4'000);
  std::vector<Nanoseconds> delays;
  for (int index = 0; index < 300; ++index) delays.push_back(std::chrono::microseconds{length_us(random)});
  LateRun run(delays, 400);
  run.loop->run(kFirst);

  Nanoseconds now{}, next = kFirst, sum{};
  std::int64_t cycles = 0;
  const std::int64_t woken = run.counts->as_cyclictest.count();
  for (; cycles < woken; ++cycles) {
    now = std::max(now, next) +
          (static_cast<std::size_t>(cycles) < delays.size() ? delays[static_cast<std::size_t>(cycles)] : 0ns);
    sum += now - next;
    next += kEvery;
    while (now > next) next += kEvery;
  }
  EXPECT_EQ(run.counts->as_cyclictest.snapshot().sum_ns, sum.count());
  EXPECT_EQ(woken + run.counts->missed, 400);
}

TEST(WakeLoop, EndsAtTheFirstThatIsLaterThanTheLimit) {
  LateRun run({100us, 200us, 2300us}, 100, 200us);
  EXPECT_EQ(run.loop->run(kFirst), WakeEnd::limit);
  EXPECT_EQ(run.counts->over_as_cyclictest, 1);
  EXPECT_EQ(run.counts->over, 3) << "2.3, 1.3 and 0.3 ms";
  EXPECT_TRUE(run.clock.stop) << "the other threads are to end too";
}

TEST(WakeLoop, EndsWhenItIsToldTo) {
  LateRun run({}, 100);
  run.clock.stop_at = kFirst + 9ms;
  EXPECT_EQ(run.loop->run(kFirst), WakeEnd::stopped);
  EXPECT_EQ(run.counts->all.count(), 10);
}

TEST(WakeLoop, OfALongIntervalOnlyTheEndIsSleptInOnePiece) {
  LateRun run({}, 100, {}, 1h);
  run.clock.stop_at = kFirst + 30min;
  EXPECT_EQ(run.loop->run(kFirst), WakeEnd::stopped);
  EXPECT_EQ(run.counts->all.count(), 1);
  EXPECT_LT(run.clock.now(), kFirst + 30min + 100ms);
}

TEST(WakeLoop, MeasuringAllocatesNothing) {
  LateRun run({2us, 5500us, 3us}, 1000, 10ms);
  {
    const test::AllocationTrap trap;
    run.loop->run(kFirst);
    EXPECT_EQ(trap.calls(), 0);
  }
  EXPECT_EQ(run.counts->all.count(), 1000);
}

Nanoseconds shortest_burn(const Clock& clock) {
  Burner burner(2ms, clock);
  const std::atomic<bool> no_stop{false};
  Nanoseconds best = 1h;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const Nanoseconds before = clock.now();
    burner.burn(no_stop);
    best = std::min(best, clock.now() - before);
  }
  return best;
}

TEST(Burner, TakesTheTimeAskedFor) {
  const SystemClock clock;
  Nanoseconds best = 0ns;
  // It is calibrated when it is made: on a CPU that is shared just then, wrongly.
  for (int attempt = 0; attempt < 10 && (best <= 1ms || best >= 3ms); ++attempt) best = shortest_burn(clock);
  EXPECT_GT(best, 1ms);
  EXPECT_LT(best, 3ms);
  EXPECT_EQ(Burner().rounds(), 0);
}

/// Of this thread, so that the neighbours do not count.
Nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + Nanoseconds{time.tv_nsec};
}

TEST(Burner, LongWorkIsMeasuredOutInATrialAndEndsWhenTold) {
  const SystemClock clock;
  const std::atomic<bool> stop{true};
  const Nanoseconds before = processor_time();
  Burner burner(30s, clock);
  burner.burn(stop);
  EXPECT_LT(processor_time() - before, 15s);
  EXPECT_GT(burner.rounds(), 1000 * Burner(2ms, clock).rounds());
}

TEST(TimerWakes, ARealTimerGivesEachPlannedInstantOnce) {
  SystemClock clock;
  const std::atomic<bool> stop{false};
  NanosleepWakes nanosleep(500us, clock, stop);
  TimerfdWakes timerfd(500us, clock, stop);
  for (WakeSource* const source :
       {static_cast<WakeSource*>(&nanosleep), static_cast<WakeSource*>(&timerfd)}) {
    const Nanoseconds first = clock.now() + 2ms;
    ASSERT_EQ(source->start(first), 0);
    Nanoseconds planned = first;
    for (int index = 0; index < 50; ++index) {
      const WakeUp wake = source->wait();
      ASSERT_EQ(wake.status, WakeStatus::woken);
      EXPECT_GE(wake.late, 0ns);
      EXPECT_EQ(wake.at - wake.late, planned);
      planned += (1 + wake.missed) * 500us;
    }
    source->stop();
  }
}

TEST(RtcWakes, WithoutAnRtcItIsNotPossible) {
  LateClock clock({});
  try {
    RtcWakes rtc({.device = "/dev/rtc-there-is-none"}, clock, clock.stop);
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::not_possible);
    EXPECT_THAT(error.what(), testing::HasSubstr("/dev/rtc-there-is-none: cannot be opened"));
  }
}

TEST(SampleFile, KeepsEachPlannedWakeUp) {
  const auto path = std::filesystem::path(testing::TempDir()) / "samples.csv";
  std::filesystem::remove(path);
  LateRun run({2us, 2500us}, 4);
  run.loop->run(kFirst);
  SampleFile file(path);
  file.drain(run.queue.consumer, 3, 1);
  EXPECT_EQ(file.finish(), "");
  std::ifstream read(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(read), {}),
            "round,thread,planned_ns,late_ns,missed\n"
            "3,1,1001000000000,2000,0\n"
            "3,1,1001001000000,2500000,0\n"
            "3,1,1001002000000,1500000,1\n"
            "3,1,1001003000000,500000,1\n");
  EXPECT_NO_THROW(SampleFile{path}) << "one of ours may be written anew";
  std::ofstream(path) << "my notes\n";
  EXPECT_THROW(SampleFile{path}, Error);
  EXPECT_THROW(SampleFile{path / "below"}, Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace xrunlab
