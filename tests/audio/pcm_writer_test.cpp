#include "xrunlab/audio/pcm_writer.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/audio/scripted_pcm.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Frames kFragment = 1000;
constexpr SampleRate kRate{1'000'000};  // a frame is a microsecond

/// Writes numbered frames to a scripted card and remembers what each write said.
struct Bench {
  explicit Bench(std::vector<ScriptedFault> script, Frames buffer = 2 * kFragment, Frames period = kFragment)
      : pcm(grant(buffer, period), clock, std::move(script)), writer(pcm, clock, stop) {}

  static PcmGrant grant(Frames buffer, Frames period) {
    PcmGrant granted;
    granted.rate = kRate;
    granted.channels = 1;
    granted.period = period;
    granted.buffer = buffer;
    granted.fragment = kFragment;
    return granted;
  }

  WriteResult write() {
    std::vector<std::int32_t> frames(kFragment);
    for (auto& frame : frames) frame = next_frame++;
    auto result = writer.write(reinterpret_cast<const std::byte*>(frames.data()), kFragment, clock.now());
    xruns.insert(xruns.end(), result.xruns.begin(), result.xruns.end());
    xruns_met += result.xruns_met;
    return result;
  }

  /// Every frame once and in order: nothing lost, doubled or shifted.
  bool all_there() const {
    const auto& bytes = pcm.accepted();
    std::vector<std::int32_t> frames(bytes.size() / 4);
    std::memcpy(frames.data(), bytes.data(), bytes.size());
    for (std::size_t index = 0; index < frames.size(); ++index) {
      if (frames[index] != static_cast<std::int32_t>(index)) return false;
    }
    return frames.size() == static_cast<std::size_t>(next_frame);
  }

  FakeClock clock;
  std::atomic<bool> stop{false};
  ScriptedPcm pcm;
  PcmWriter writer;
  std::int32_t next_frame = 0;
  std::vector<XrunSample> xruns;
  int xruns_met = 0;
};

TEST(PcmWriter, WaitsForTheCardAndCountsWhatIsInIt) {
  Bench bench({});
  const auto begin = bench.clock.now();
  auto result = bench.write();
  EXPECT_FALSE(result.queued || result.started || result.wake);
  result = bench.write();
  EXPECT_EQ(result.started, begin);
  EXPECT_EQ(result.queued, 2000);
  for (int count = 1; count <= 50; ++count) {
    result = bench.write();
    ASSERT_EQ(result.status, WriteStatus::written);
    ASSERT_EQ(result.frames, kFragment);
    ASSERT_EQ(result.ended, begin + count * 1ms);
    ASSERT_TRUE(result.wake);
    ASSERT_EQ(result.wake->late, 0);
    ASSERT_EQ(result.wake->at, result.ended);
    ASSERT_EQ(result.queued, 2000);
    ASSERT_FALSE(result.started);
  }
  EXPECT_TRUE(bench.all_there());
}

TEST(PcmWriter, ALateWriteShowsInTheQueueAndWaitsNot) {
  Bench bench({}, 4 * kFragment);
  for (int count = 0; count < 4; ++count) bench.write();
  bench.clock.advance(2300us);
  const auto result = bench.write();
  EXPECT_FALSE(result.wake);
  EXPECT_EQ(result.queued, 4000 - 2300 + 1000);
}

TEST(PcmWriter, AnXrunIsOverWhenTheCardStartsAgain) {
  Bench bench({{10, CardFault::xrun, 5ms}});
  for (int count = 0; count < 10; ++count) bench.write();
  const auto dry = bench.clock.now() + 2ms;
  auto result = bench.write();
  EXPECT_EQ(result.status, WriteStatus::written);
  EXPECT_EQ(result.xruns_met, 1);
  EXPECT_TRUE(result.xruns.empty());
  EXPECT_FALSE(result.queued);
  bench.clock.advance(1ms);
  result = bench.write();
  ASSERT_EQ(result.xruns.size(), 1U);
  EXPECT_EQ(result.xruns[0].at, dry);
  EXPECT_EQ(result.xruns[0].dry, 6ms);
  EXPECT_EQ(result.started, dry + 6ms);
  EXPECT_EQ(result.queued, 2000);
  for (int count = 0; count < 10; ++count) bench.write();
  EXPECT_EQ(bench.xruns_met, 1);
  EXPECT_EQ(bench.pcm.prepares(), 1);
  EXPECT_TRUE(bench.all_there());
}

TEST(PcmWriter, AnXrunAtTheEndIsHandedOutOnce) {
  Bench bench({{3, CardFault::xrun, 5ms}});
  for (int count = 0; count < 4; ++count) bench.write();
  const auto xrun = bench.writer.take_open_xrun(bench.clock.now());
  ASSERT_TRUE(xrun);
  EXPECT_EQ(xrun->dry, 5ms);
  EXPECT_FALSE(bench.writer.take_open_xrun(std::nullopt));
}

TEST(PcmWriter, ShortWritesAndRefusalsLoseNothing) {
  Bench bench({{2, CardFault::short_write, 0ns, 1},
               {3, CardFault::short_write, 0ns, 999},
               {5, CardFault::refuse, 50ms, 0},
               {7, CardFault::wrong_state}});
  for (int count = 0; count < 12; ++count) ASSERT_EQ(bench.write().status, WriteStatus::written);
  EXPECT_TRUE(bench.all_there());
}

TEST(PcmWriter, FragmentsLargerThanTheBufferGoThrough) {
  Bench bench({{2, CardFault::xrun, 3ms}}, 512, 256);
  const auto begin = bench.clock.now();
  for (int count = 0; count < 8; ++count) ASSERT_EQ(bench.write().status, WriteStatus::written);
  EXPECT_EQ(bench.pcm.drain(1s, bench.stop), 0);
  EXPECT_EQ(bench.clock.now() - begin, 8ms + 3ms);
  ASSERT_EQ(bench.xruns.size(), 1U);
  EXPECT_EQ(bench.xruns[0].dry, 3ms);
  EXPECT_TRUE(bench.all_there());
}

TEST(PcmWriter, ASuspendIsWaitedForAndCountedApart) {
  for (const Nanoseconds length : {Nanoseconds(0), Nanoseconds(3s)}) {
    Bench bench({{5, CardFault::suspend, length}});
    for (int count = 0; count < 5; ++count) bench.write();
    const auto begin = bench.clock.now();
    const auto result = bench.write();
    EXPECT_EQ(result.status, WriteStatus::written);
    EXPECT_EQ(result.suspends, 1);
    EXPECT_GE(result.ended - begin, length);
    EXPECT_EQ(bench.pcm.prepares(), length == 0ns ? 1 : 0);
    bench.write();
    EXPECT_EQ(bench.xruns_met, 0);
    EXPECT_TRUE(bench.all_there());
  }
}

TEST(PcmWriter, AnUnpluggedCardIsGone) {
  Bench bench({{5, CardFault::unplug}});
  for (int count = 0; count < 5; ++count) bench.write();
  const auto result = bench.write();
  EXPECT_EQ(result.status, WriteStatus::gone);
  EXPECT_EQ(result.error, -ENODEV);
  EXPECT_EQ(result.frames, 0);
}

TEST(PcmWriter, GivesUpOnACardThatTakesNothingForTenSeconds) {
  Bench bench({{2, CardFault::hang}});
  bench.write();
  bench.write();
  const auto begin = bench.clock.now();
  const auto result = bench.write();
  EXPECT_EQ(result.status, WriteStatus::timed_out);
  EXPECT_GE(result.ended - begin, 10s);
  EXPECT_LE(result.ended - begin, 10s + 200ms);
}

TEST(PcmWriter, TheStopFlagEndsAWaitWithoutPatience) {
  Bench bench({{2, CardFault::hang}});
  bench.write();
  bench.write();
  bench.stop = true;
  const auto begin = bench.clock.now();
  EXPECT_EQ(bench.write().status, WriteStatus::stopped);
  EXPECT_EQ(bench.clock.now(), begin);
}

TEST(PcmWriter, TheStopFlagEndsAWaitForAHangingCardInRealTime) {
  SystemClock clock;
  std::vector<std::string> warnings;
  PcmRequest wanted;
  wanted.device = "sim:stall=0s+1h";
  wanted.rate = SampleRate{48000};
  const auto pcm = open_pcm(wanted, clock, warnings);
  std::atomic<bool> stop{false};
  PcmWriter writer(*pcm, clock, stop);
  const std::vector<std::byte> silence(1024 * 2 * 4);
  writer.write(silence.data(), 1024, clock.now());
  writer.write(silence.data(), 1024, clock.now());
  std::thread stopper([&] {
    std::this_thread::sleep_for(50ms);
    stop = true;
  });
  const auto result = writer.write(silence.data(), 1024, clock.now());
  stopper.join();
  EXPECT_EQ(result.status, WriteStatus::stopped);
  EXPECT_EQ(result.frames, 0);
}

TEST(PcmWriter, AnUnpacedCardHasNoQueueAndNoWake) {
  SystemClock clock;
  std::vector<std::string> warnings;
  PcmRequest wanted;
  wanted.device = "null";
  wanted.rate = SampleRate{48000};
  const auto pcm = open_pcm(wanted, clock, warnings);
  const std::atomic<bool> stop{false};
  PcmWriter writer(*pcm, clock, stop);
  const std::vector<std::byte> silence(1024 * 2 * 4);
  for (int count = 0; count < 100; ++count) {
    const auto result = writer.write(silence.data(), 1024, clock.now());
    ASSERT_EQ(result.status, WriteStatus::written);
    ASSERT_FALSE(result.queued || result.wake || result.started);
  }
}

TEST(PcmWriter, AStallOfTheSimulatedCardIsAllInTheWriteAndNotInTheWake) {
  FakeClock clock;
  std::vector<std::string> warnings;
  PcmRequest wanted;
  wanted.device = "sim:stall=3s+700ms";
  wanted.rate = SampleRate{48000};
  const auto pcm = open_pcm(wanted, clock, warnings);
  const std::atomic<bool> stop{false};
  PcmWriter writer(*pcm, clock, stop);
  const std::vector<std::byte> silence(1024 * 2 * 4);
  Nanoseconds longest{};
  for (int count = 0; count < 300; ++count) {
    const auto begin = clock.now();
    const auto result = writer.write(silence.data(), 1024, begin);
    ASSERT_EQ(result.xruns_met, 0);
    ASSERT_EQ(result.wake.value_or(Wake{}).late, 0);
    longest = std::max(longest, result.ended - begin);
  }
  EXPECT_GE(longest, 700ms);
  EXPECT_LE(longest, 700ms + 22ms);
}

TEST(PcmWriter, NoXrunInRealTimeWithTenthOfASecondOfBuffer) {
  SystemClock clock;
  std::vector<std::string> warnings;
  PcmRequest wanted;
  wanted.rate = SampleRate{48000};
  wanted.period = 480;
  wanted.buffer = 4800;
  const auto pcm = open_pcm(wanted, clock, warnings);
  const std::atomic<bool> stop{false};
  PcmWriter writer(*pcm, clock, stop);
  const std::vector<std::byte> silence(480 * 2 * 4);
  int xruns = 0;
  int wakes = 0;
  for (int count = 0; count < 60; ++count) {
    const auto result = writer.write(silence.data(), 480, clock.now());
    ASSERT_EQ(result.status, WriteStatus::written);
    xruns += result.xruns_met;
    wakes += result.wake ? 1 : 0;
  }
  EXPECT_EQ(xruns, 0);
  EXPECT_GE(wakes, 1);
}

}  // namespace
}  // namespace xrunlab
