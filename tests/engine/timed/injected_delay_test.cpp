// Delays of a known length, injected into the disk, the card and the processor: each must show in the timers
// that it belongs to, with its own length, and in no other. Real runs of some seconds on the simulated card.

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "tests/engine/timed/timed_run.hpp"
#include "tests/fixtures/stall_fs.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using fixture::Fault;
using fixture::StallFs;
using test::kAttempts;
using test::kFragment;
using test::kRate;

constexpr Bytes kFrameBytes = 2;
constexpr Nanoseconds kReadStall = 970ms;
constexpr Nanoseconds kCardStall = 300ms;
constexpr double kTolerance = 0.05;

double relative_error(std::int64_t shown_ns, Nanoseconds truth) {
  return std::abs(static_cast<double>(shown_ns) / static_cast<double>(truth.count()) - 1);
}

class InjectedDelayTest : public test::TimedRun {
 protected:
  /// The file system with one read of the second track stalled; nothing where there is no FUSE.
  std::unique_ptr<StallFs> stalling_at(Nanoseconds place) const {
    const Fault fault{.kind = fixture::FaultKind::stall,
                      .file = "track-002.wav",
                      .offset = duration_to_frames_ceil(place, kRate) * kFrameBytes,
                      .duration = kReadStall};
    try {
      return std::make_unique<StallFs>(directory(), std::vector<Fault>{fault});
    } catch (const Error& error) {
      if (error.code() != ExitCode::not_possible) throw;
      reason_ = error.what();
      return nullptr;
    }
  }

  mutable std::string reason_;
};

TEST_F(InjectedDelayTest, WithoutRingAStalledReadShowsInReadAndOutsideAndOneXrun) {
  RunData run;
  Nanoseconds truth{};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto disk = stalling_at(500ms);
    if (!disk) GTEST_SKIP() << reason_;
    auto asked = request(disk->path(), 2s, 100ms);
    asked.disk.ring_use = RingUse::none;
    run = play(asked);
    ASSERT_EQ(disk->injected().size(), 1u);
    truth = disk->injected().front().duration;
    if (run.counters.device_xruns == 1 &&
        relative_error(run.timers.outside.histogram.max_ns, truth) <= kTolerance) {
      break;
    }
  }
  EXPECT_TRUE(run.complete);
  EXPECT_LE(relative_error(run.timers.ring_read.histogram.max_ns, truth), kTolerance);
  EXPECT_LE(relative_error(run.timers.outside.histogram.max_ns, truth), kTolerance);
  EXPECT_GE(run.timers.outside.histogram.max_ns, run.timers.ring_read.histogram.max_ns);
  EXPECT_LE(relative_error(run.io_latency.max_ns, truth), kTolerance);
  EXPECT_EQ(run.counters.device_xruns, 1);
  EXPECT_EQ(run.counters.starvation_episodes, 0);
  ASSERT_EQ(run.xruns.size(), 1u);
  // The card had at most its buffer to play from.
  EXPECT_LT(run.xruns.front().dry_ns.value_or(0), truth.count());
  EXPECT_GT(run.xruns.front().dry_ns.value_or(0), (truth - 200ms).count());
}

TEST_F(InjectedDelayTest, WithARingTheSameStallShowsInIoLatencyAndLowWaterOnly) {
  RunData run;
  Nanoseconds truth{};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto disk = stalling_at(2500ms);
    if (!disk) GTEST_SKIP() << reason_;
    run = play(request(disk->path(), 3s, 200ms));
    ASSERT_EQ(disk->injected().size(), 1u);
    truth = disk->injected().front().duration;
    if (run.counters.device_xruns == 0 && relative_error(run.io_latency.max_ns, truth) <= kTolerance) break;
  }
  EXPECT_TRUE(run.complete);
  EXPECT_LE(relative_error(run.io_latency.max_ns, truth), kTolerance);
  ASSERT_TRUE(run.ring.low_water_frames.has_value());
  // What was played during the stall was not refilled, beside blocks that were vacant anyway.
  const Frames drained = run.ring.frames - *run.ring.low_water_frames;
  EXPECT_GE(drained, duration_to_frames_ceil(truth, kRate) * 95 / 100);
  EXPECT_GT(*run.ring.low_water_frames, 0);
  EXPECT_EQ(run.counters.starvation_episodes, 0);
  EXPECT_EQ(run.counters.device_xruns, 0);
  EXPECT_LT(run.timers.ring_read.histogram.max_ns, truth.count() / 4);
  EXPECT_LT(run.timers.outside.histogram.max_ns, truth.count() / 4);
}

TEST_F(InjectedDelayTest, AStalledCardShowsInTheWriteOnly) {
  RunData run;
  double error = 1;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto asked = request(directory(), 1500ms, 600ms);  // wake lateness could grow to twice the stall
    asked.card.device = "sim:stall=400ms+300ms";
    run = play(asked);
    const auto usual_ns = run.timers.pcm_write.histogram.mean_ns();
    error = relative_error(run.timers.pcm_write.histogram.max_ns - static_cast<std::int64_t>(usual_ns),
                           kCardStall);
    if (error <= kTolerance && run.wake_lateness.histogram.max_ns < kCardStall.count() / 4 &&
        run.timers.outside.histogram.max_ns < kCardStall.count() / 4) {
      break;
    }
  }
  EXPECT_TRUE(run.complete);
  EXPECT_LE(error, kTolerance);
  EXPECT_LT(run.wake_lateness.histogram.max_ns, kCardStall.count() / 4);
  EXPECT_LT(run.timers.outside.histogram.max_ns, kCardStall.count() / 4);
  EXPECT_EQ(run.counters.device_xruns, 0);
}

/// Takes one CPU away from everything below FIFO 90, for 60 ms in each half second.
class Hog {
 public:
  explicit Hog(int cpu) : thread_([this, cpu] { burn_now_and_then(cpu); }) {}
  ~Hog() { end(); }
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;

  bool refused() const noexcept { return refused_; }
  /// Ends it and returns the longest time that it held the CPU.
  Nanoseconds end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return longest_;
  }

 private:
  void burn_now_and_then(int cpu) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(static_cast<std::size_t>(cpu), &only);
    const sched_param priority{90};
    if (sched_setaffinity(0, sizeof only, &only) != 0 || sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
      refused_ = true;
      return;
    }
    SystemClock clock;
    while (!stop_) {
      clock.sleep_until(clock.now() + 440ms);
      const Nanoseconds begin = clock.now();
      Nanoseconds now = begin;
      while (now < begin + 60ms) now = clock.now();
      longest_ = std::max(longest_, now - begin);
    }
  }

  std::atomic<bool> stop_{false};
  std::atomic<bool> refused_{false};
  Nanoseconds longest_{};
  std::thread thread_;
};

TEST_F(InjectedDelayTest, AHogAtHigherPriorityShowsInWakeLatenessAndTheWrite) {
  const int cpu = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)) - 1;
  if (cpu < 1) GTEST_SKIP() << "with one CPU the hog would hold up the whole run";
  RunData run;
  Nanoseconds burnt{};
  // A wake-up falls due at most a period after the hog has begun.
  const auto shown = [&](const SectionData& section) {
    const Nanoseconds shortest = burnt - frames_to_duration(kFragment, kRate) - 3ms;
    const Nanoseconds longest = burnt + frames_to_duration(kFragment, kRate) + 3ms;
    return section.histogram.max_ns >= shortest.count() && section.histogram.max_ns <= longest.count();
  };
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Hog hog(cpu);
    auto asked = request(directory(), 2s, 200ms);
    asked.realtime.playback = SchedSpec{SchedPolicy::fifo, 70};
    asked.realtime.affinity = {{"playback", {cpu}}};
    run = play(asked);
    burnt = hog.end();
    if (hog.refused() || run.rt.policy != "SCHED_FIFO") {
      GTEST_SKIP() << "no right to SCHED_FIFO: RTPRIO limit or root";
    }
    if (shown(run.wake_lateness) && shown(run.timers.pcm_write)) break;
  }
  EXPECT_TRUE(shown(run.wake_lateness)) << run.wake_lateness.histogram.max_ns << " of " << burnt.count();
  EXPECT_TRUE(shown(run.timers.pcm_write))
      << run.timers.pcm_write.histogram.max_ns << " of " << burnt.count();
  EXPECT_EQ(run.counters.device_xruns, 0);
  EXPECT_EQ(run.counters.starvation_episodes, 0);
}

}  // namespace
}  // namespace xrunlab
