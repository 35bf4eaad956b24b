// A thread of a higher priority that keeps the CPU for a known time: the one that is measured must be as late
// as that. The hog measures its own length, so what delays both is no difference.

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "xrunlab/engine/latency_run.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kHog = 20ms;
constexpr Nanoseconds kHogAfter = 150ms;
constexpr Nanoseconds kWakeEvery = 100us;
constexpr int kHogAttempts = 3;
constexpr double kHogTolerance = 0.02;

/// Runs on `cpu` at SCHED_FIFO 90 for kHog; how long it really held it. Nothing without the right to.
std::optional<Nanoseconds> hog(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  const sched_param high{90};
  if (::sched_setaffinity(0, sizeof set, &set) != 0 || ::sched_setscheduler(0, SCHED_FIFO, &high) != 0)
    return std::nullopt;
  SystemClock clock;
  clock.sleep_until(clock.now() + kHogAfter);
  const Nanoseconds begin = clock.now();
  while (clock.now() - begin < kHog) {
  }
  return clock.now() - begin;
}

TEST(FifoHog, MakesTheMeasuredThreadAsLateAsItIsLong) {
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) ++cpu;
  LatencyRequest request;
  request.interval = kWakeEvery;
  request.duration = 300ms;
  request.cpus = {{cpu}};
  request.lock = MemoryLockMode::off;
  double error = 1;
  double missed = 0;
  for (int attempt = 0; attempt < kHogAttempts && error > kHogTolerance; ++attempt) {
    std::optional<Nanoseconds> held;
    std::thread hogging([&] { held = hog(cpu); });
    const Signals signals;
    const RunData run = run_latency(request, signals, {}).run;
    hogging.join();
    if (!held || run.rt.policy != "SCHED_FIFO") GTEST_SKIP() << "no right to SCHED_FIFO";
    const auto length = static_cast<double>(held->count());
    // The first that it kept from waking was planned up to an interval after it began.
    const double late = static_cast<double>(*run.latency.all.max_ns) + kWakeEvery.count() / 2.0;
    error = std::abs(late / length - 1);
    missed = static_cast<double>(*run.latency.all.missed) * kWakeEvery.count() / length;
  }
  EXPECT_LE(error, kHogTolerance);
  EXPECT_GE(missed, 0.95) << "each wake-up that was planned meanwhile counts";
}

}  // namespace
}  // namespace xrunlab
