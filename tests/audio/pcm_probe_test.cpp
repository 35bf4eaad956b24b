#include "xrunlab/audio/pcm_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/audio/alsa_configuration.hpp"
#include "tests/sanitized.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const PcmEntry* find(const CardsData& cards, const std::string& name) {
  const auto found = std::find_if(cards.pcms.begin(), cards.pcms.end(),
                                  [&](const PcmEntry& entry) { return entry.name == name; });
  return found == cards.pcms.end() ? nullptr : &*found;
}

TEST(PcmProbe, TheSimulatedCardIsFirstWithItsDefaultLimits) {
  const AlsaConfiguration configuration("");
  const auto cards = probe_pcms();
  ASSERT_THAT(cards.pcms, Not(IsEmpty()));
  const PcmEntry& sim = cards.pcms.front();
  EXPECT_EQ(sim.name, "sim");
  EXPECT_EQ(sim.kind, "simulated");
  ASSERT_TRUE(sim.accepts);
  EXPECT_EQ(sim.accepts->channels, (ValueRange{1, 1024}));
  EXPECT_EQ(sim.accepts->rate_hz, (ValueRange{1, 10'000'000}));
  EXPECT_EQ(sim.accepts->period_frames.least, 16);
  EXPECT_EQ(sim.accepts->buffer_frames.least, 32);
  EXPECT_THAT(sim.accepts->formats,
              testing::ElementsAre("U8", "S16_LE", "S24_3LE", "S24_LE", "S32_LE", "FLOAT_LE"));
  EXPECT_THAT(sim.accepts->usual_rates_hz, Contains(44100));
}

TEST(PcmProbe, OneSimulatedCardHasTheLimitsOfItsOptionsAndItsCaptureIsLeftAlone) {
  const AlsaConfiguration configuration("");
  const auto capture = configuration.directory() / "card.wav";
  const auto cards =
      probe_pcms("sim:channels=6,rate=48000,formats=S16_LE,period=192,capture=" + capture.string());
  ASSERT_EQ(cards.pcms.size(), 1u);
  ASSERT_TRUE(cards.pcms[0].accepts);
  const PcmLimits& limits = *cards.pcms[0].accepts;
  EXPECT_EQ(limits.channels, (ValueRange{6, 6}));
  EXPECT_EQ(limits.rate_hz, (ValueRange{48000, 48000}));
  EXPECT_EQ(limits.period_frames.least, 192);
  EXPECT_EQ(limits.buffer_frames.least, 384);
  EXPECT_THAT(limits.formats, testing::ElementsAre("S16_LE"));
  EXPECT_FALSE(std::filesystem::exists(capture));
  EXPECT_THROW(probe_pcms("sim:colour=red"), Error);
}

TEST(PcmProbe, ListsWhatTheConfigurationDefinesWithoutTouchingFiles) {
  const AlsaConfiguration configuration("pcm.null { type null }\n");
  const auto copy = configuration.directory() / "copy.raw";
  std::ofstream(configuration.directory() / "asound.conf", std::ios::app)
      << "pcm.copied { type file slave.pcm null format raw file \"" << copy.string() << "\" }\n"
      << "pcm.converted { type plug slave.pcm null hint { show on description \"Converts all\" } }\n"
      << "pcm.wants { @args [ FILE ] @args.FILE { type string } type file slave.pcm null file $FILE }\n"
      << "pcm.upmix { type plug slave.pcm null }\n";
  testing::internal::CaptureStderr();
  const auto cards = probe_pcms();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const auto* const null = find(cards, "null");
  ASSERT_TRUE(null != nullptr && null->accepts) << (null != nullptr ? null->problem : "not listed");
  EXPECT_EQ(null->kind, "unpaced");
  EXPECT_EQ(null->plugin, "null");
  const auto* const copied = find(cards, "copied");
  ASSERT_TRUE(copied != nullptr && copied->accepts) << (copied != nullptr ? copied->problem : "not listed");
  EXPECT_EQ(copied->kind, "unpaced");
  EXPECT_EQ(copied->plugin, "file");
  EXPECT_FALSE(std::filesystem::exists(copy));
  const auto* const converted = find(cards, "converted");
  ASSERT_TRUE(converted != nullptr && converted->accepts);
  EXPECT_EQ(converted->plugin, "plug");
  EXPECT_EQ(converted->description, "Converts all");
  EXPECT_GE(converted->accepts->period_frames.least, 1);
  EXPECT_EQ(find(cards, "wants"), nullptr) << "it cannot be opened by its name alone";
  EXPECT_EQ(find(cards, "upmix"), nullptr) << "a mere converter";
  EXPECT_EQ(std::count_if(cards.pcms.begin(), cards.pcms.end(),
                          [](const PcmEntry& entry) { return entry.name == "converted"; }),
            1);
}

TEST(PcmProbe, WhatCannotBeOpenedIsListedWithTheReason) {
  const AlsaConfiguration configuration("pcm.absent { type hw card 31 device 7 }\n");
  testing::internal::CaptureStderr();
  const auto cards = probe_pcms();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const auto* const absent = find(cards, "absent");
  ASSERT_NE(absent, nullptr);
  EXPECT_FALSE(absent->accepts);
  EXPECT_THAT(absent->problem, HasSubstr("cannot open 'absent'"));
  EXPECT_THAT(absent->remedy, Not(IsEmpty()));
}

TEST(PcmProbe, ASoundServerThatDoesNotRunIsListedAsSuch) {
  if (XRUNLAB_THREAD_SANITIZED)
    GTEST_SKIP() << "libpulse is not instrumented: its own threads look like races";
  const AlsaConfiguration configuration("pcm.pulse { type pulse server \"/nonexistent\" }\n");
  testing::internal::CaptureStderr();
  const auto cards = probe_pcms();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const auto* const pulse = find(cards, "pulse");
  ASSERT_NE(pulse, nullptr);
  EXPECT_EQ(pulse->kind, "server");
  EXPECT_EQ(pulse->server, "PulseAudio");
  EXPECT_THAT(pulse->problem, HasSubstr("cannot connect to PulseAudio"));
}

}  // namespace
}  // namespace xrunlab
