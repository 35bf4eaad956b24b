#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <vector>

#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

const std::atomic<bool> kNeverStops{false};

struct Card {
  explicit Card(PcmRequest sim_request) : pcm(open_pcm(sim_request, clock, warnings)) {
    silence.resize(static_cast<std::size_t>(pcm->grant().fragment * pcm->grant().channels * 4));
  }

  /// Writes one fragment, waiting in virtual time, and returns how long that took.
  Nanoseconds write_fragment() {
    const auto begin = clock.now();
    Frames left = pcm->grant().fragment;
    while (left > 0) {
      const Frames count = pcm->write(silence.data(), left);
      if (count > 0) left -= count;
      if (count == -EAGAIN) {
        EXPECT_EQ(pcm->wait(100s), 1);
      } else if (count < 0) {
        ADD_FAILURE() << "write gave " << count;
        break;
      }
    }
    return clock.now() - begin;
  }

  FakeClock clock;
  std::vector<std::string> warnings;
  std::unique_ptr<Pcm> pcm;
  std::vector<std::byte> silence;
};

PcmRequest sim_request(std::string device = "sim") {
  PcmRequest wanted;
  wanted.device = std::move(device);
  wanted.rate = SampleRate{48000};
  return wanted;
}

TEST(SimPcm, GrantsWhatWasAskedWithoutAWarning) {
  Card card(sim_request());
  const auto& grant = card.pcm->grant();
  EXPECT_EQ(grant.name, "sim");
  EXPECT_EQ(grant.plugin, "ioplug");
  EXPECT_EQ(grant.format, SampleFormat::s32_le);
  EXPECT_EQ(grant.period, 1024);
  EXPECT_EQ(grant.buffer, 2048);
  EXPECT_EQ(grant.fragment, 1024);
  EXPECT_EQ(grant.start_threshold, 2048);
  EXPECT_EQ(grant.avail_min, 1024);
  EXPECT_TRUE(grant.simulated);
  EXPECT_TRUE(grant.paced);
  EXPECT_TRUE(card.warnings.empty());
}

TEST(SimPcm, FragmentsTakeTheirLengthOnceTheBufferIsFull) {
  Card card(sim_request());
  const auto begin = card.clock.now();
  for (int count = 0; count < 1000; ++count) card.write_fragment();
  EXPECT_EQ(card.clock.now() - begin, Nanoseconds((998 * 1024LL * kNsPerSecond + 47999) / 48000));
  EXPECT_EQ(card.pcm->drain(10s, kNeverStops), 0);
  EXPECT_EQ(card.clock.now() - begin, Nanoseconds((1000 * 1024LL * kNsPerSecond + 47999) / 48000));
}

TEST(SimPcm, AHundredFramesPlayInTheirOwnTime) {
  Card card(sim_request());
  const auto begin = card.clock.now();
  EXPECT_EQ(card.pcm->write(card.silence.data(), 100), 100);
  EXPECT_EQ(card.pcm->state(), PcmState::prepared);
  EXPECT_EQ(card.pcm->drain(10s, kNeverStops), 0);
  EXPECT_EQ(card.clock.now() - begin, Nanoseconds((100 * kNsPerSecond + 47999) / 48000));
}

TEST(SimPcm, DrainingGivesUpAtItsLimit) {
  Card card(sim_request("sim:stall=0s+60s"));
  const auto begin = card.clock.now();
  EXPECT_EQ(card.pcm->write(card.silence.data(), 100), 100);
  EXPECT_EQ(card.pcm->drain(2s, kNeverStops), -ETIMEDOUT);
  EXPECT_EQ(card.clock.now() - begin, 2s);
}

TEST(SimPcm, AStopEndsTheDrainingAndDropsWhatIsInTheCard) {
  auto wanted = sim_request();
  wanted.buffer = 480'000;
  Card card(wanted);
  for (int count = 0; count < 100; ++count) card.write_fragment();
  const auto begin = card.clock.now();
  const std::atomic<bool> stop{true};
  EXPECT_EQ(card.pcm->drain(20s, stop), -ECANCELED);
  EXPECT_EQ(card.clock.now(), begin);
  EXPECT_EQ(card.pcm->state(), PcmState::other);
}

TEST(SimPcm, WakesExactlyAtThePeriodAlsoWithDrift) {
  for (const char* device : {"sim", "sim:ppm=50", "sim:ppm=-77777"}) {
    Card card(sim_request(device));
    card.write_fragment();
    card.write_fragment();
    for (int count = 0; count < 500; ++count) {
      ASSERT_EQ(card.pcm->wait(10s), 1);
      ASSERT_EQ(card.pcm->avail(), 1024) << device;
      ASSERT_EQ(card.pcm->write(card.silence.data(), 1024), 1024);
      ASSERT_EQ(card.pcm->avail(), 0);
    }
  }
}

TEST(SimPcm, OneStallOfThePlayerIsOneXrunWithItsExactInstant) {
  Card card(sim_request());
  card.write_fragment();
  card.write_fragment();
  const auto dry = card.clock.now() + Nanoseconds((2048 * kNsPerSecond + 47999) / 48000);
  card.clock.advance(1s);
  EXPECT_EQ(card.pcm->write(card.silence.data(), 1024), -EPIPE);
  EXPECT_EQ(card.pcm->state(), PcmState::xrun);
  EXPECT_EQ(card.pcm->stopped_at(), dry);
  EXPECT_EQ(card.pcm->prepare(), 0);
  EXPECT_EQ(card.pcm->state(), PcmState::prepared);
  EXPECT_EQ(card.pcm->avail(), 2048);
  const auto restart = card.clock.now();
  for (int count = 0; count < 100; ++count) card.write_fragment();
  EXPECT_EQ(card.clock.now() - restart, Nanoseconds((98 * 1024LL * kNsPerSecond + 47999) / 48000));
}

TEST(SimPcm, DryToTheLastFrameIsAnXrunAndOneFrameEarlierIsNot) {
  const auto all = Nanoseconds((2048 * kNsPerSecond + 47999) / 48000);
  Card early(sim_request());
  early.write_fragment();
  early.write_fragment();
  early.clock.advance(all - 1ns);
  EXPECT_EQ(early.pcm->write(early.silence.data(), 1024), 1024);
  Card late(sim_request());
  late.write_fragment();
  late.write_fragment();
  late.clock.advance(all);
  EXPECT_EQ(late.pcm->write(late.silence.data(), 1024), -EPIPE);
}

TEST(SimPcm, AStallOfTheCardMovesTheWakeUpAndIsNoXrun) {
  Card card(sim_request("sim:stall=3s+700ms"));
  Nanoseconds longest{};
  for (int count = 0; count < 300; ++count) longest = std::max(longest, card.write_fragment());
  EXPECT_GE(longest, 700ms);
  EXPECT_LE(longest, 700ms + 22ms);
  EXPECT_EQ(card.pcm->state(), PcmState::running);
  EXPECT_EQ(card.pcm->avail(), 0);  // the last wake-up was exactly on its period
}

TEST(SimPcm, AcceptsNothingDuringAStall) {
  Card card(sim_request("sim:stall=30ms+70ms"));
  card.write_fragment();
  card.write_fragment();
  card.clock.advance(30ms);  // a period is free by now
  EXPECT_EQ(card.pcm->write(card.silence.data(), 1024), -EAGAIN);
  EXPECT_EQ(card.pcm->wait(1ms), 0);
  EXPECT_EQ(card.pcm->wait(10s), 1);
  EXPECT_EQ(card.pcm->write(card.silence.data(), 1024), 1024);
}

TEST(SimPcm, TakesTheNearestPeriodAndSaysSo) {
  auto wanted = sim_request("sim:period=192");
  wanted.period = 1000;
  Card card(wanted);
  EXPECT_EQ(card.pcm->grant().period, 960);
  EXPECT_EQ(card.pcm->grant().buffer, 1920);
  EXPECT_THAT(card.warnings, testing::ElementsAre("asked for a period of 1000 frames, the card granted 960"));
}

TEST(SimPcm, StartThresholdIsTheLargestMultipleOfTheFragment) {
  auto wanted = sim_request();
  wanted.fragment = 700;
  Card card(wanted);
  EXPECT_EQ(card.pcm->grant().start_threshold, 1400);
  EXPECT_EQ(card.pcm->grant().avail_min, 1024);  // 700 was asked for: alsa-lib raises it to the period
  wanted.fragment = 2048;
  Card whole(wanted);
  EXPECT_EQ(whole.pcm->grant().start_threshold, 2048);
  EXPECT_EQ(whole.pcm->grant().avail_min, 1024);
  wanted.fragment = 5000;
  Card larger(wanted);
  EXPECT_EQ(larger.pcm->grant().start_threshold, 2048);
  EXPECT_EQ(larger.pcm->grant().avail_min, 1024);
}

TEST(SimPcm, LimitsItselfAndSaysWhatItHas) {
  FakeClock clock;
  std::vector<std::string> warnings;
  const auto refused = [&](PcmRequest wanted) -> std::string {
    try {
      open_pcm(wanted, clock, warnings);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::audio_device);
      return std::string(error.what()) + "; " + error.remedy();
    }
    return "granted";
  };
  EXPECT_THAT(refused(sim_request("sim:channels=6")), testing::HasSubstr("6 channels"));
  EXPECT_THAT(refused(sim_request("sim:rate=44100")), testing::HasSubstr("44100 Hz"));
  auto wanted = sim_request("sim:formats=S16_LE+S24_LE");
  wanted.format = SampleFormat::s32_le;
  EXPECT_THAT(refused(wanted), testing::HasSubstr("S16_LE S24_LE"));
  wanted.format.reset();
  Card best(wanted);
  EXPECT_EQ(best.pcm->grant().format, SampleFormat::s24_le);
}

TEST(SimPcm, WorksAtItsLimits) {
  for (const auto& [rate, channels, period] :
       {std::tuple{1U, 1, 16}, {10'000'000U, 1, 16}, {192'000U, 1024, 64}, {48000U, 2, 65536}}) {
    auto wanted = sim_request();
    wanted.rate = SampleRate{rate};
    wanted.channels = channels;
    wanted.period = period;
    Card card(wanted);
    ASSERT_EQ(card.pcm->grant().period, period);
    const auto begin = card.clock.now();
    for (int count = 0; count < 20; ++count) card.write_fragment();
    EXPECT_EQ(card.pcm->drain(100'000s, kNeverStops), 0);
    EXPECT_EQ(card.clock.now() - begin, Nanoseconds((20 * period * kNsPerSecond + rate - 1) / rate));
  }
}

TEST(SimPcm, PacesInRealTime) {
  SystemClock clock;
  std::vector<std::string> warnings;
  auto wanted = sim_request();
  wanted.buffer = 4800;
  wanted.period = 480;
  const auto pcm = open_pcm(wanted, clock, warnings);
  std::vector<std::byte> silence(480 * 2 * 4);
  const auto begin = clock.now();
  int written = 0;
  while (written < 30) {
    const Frames count = pcm->write(silence.data(), 480);
    if (count == 480) ++written;
    if (count < 0) {
      ASSERT_EQ(count, -EAGAIN);
      ASSERT_EQ(pcm->wait(10s), 1);
    }
  }
  EXPECT_GE(clock.now() - begin, 200ms);
  EXPECT_EQ(pcm->drain(10s, kNeverStops), 0);
  EXPECT_GE(clock.now() - begin, 300ms);
}

}  // namespace
}  // namespace xrunlab
