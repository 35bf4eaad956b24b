#include "xrunlab/disk/set_spec.hpp"

#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

std::string refusal_of(auto&& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return std::string(error.what()) + " / " + error.remedy();
  }
  return "accepted";
}

TEST(SetSpec, ParsesRateBitsAndChannels) {
  const auto spec = parse_set("48k/24/1");
  EXPECT_EQ(spec.rate.hz, 48000u);
  EXPECT_EQ(spec.format, SampleFormat::s24_3le);
  EXPECT_EQ(spec.channels, 1);
  EXPECT_EQ(parse_set("96000/f/2").format, SampleFormat::f32_le);
  EXPECT_EQ(parse_set("44.1k/8/6").format, SampleFormat::u8);
  EXPECT_EQ(parse_set("44.1k/32/6").channels, 6);
}

TEST(SetSpec, RefusesWhatIsNoSet) {
  for (const char* text :
       {"", "48k", "48k/24", "48k/20/1", "48k/24/0", "48k/24/1025", "x/24/1", "48k/24/1/1"}) {
    EXPECT_NE(refusal_of([&] { parse_set(text); }), "accepted") << text;
  }
}

TEST(SetSpec, NumbersAreAsWideAsTheGreatestAndAtLeastThreeDigits) {
  SetSpec spec;
  EXPECT_EQ(track_name(spec, 0), "track-001.wav");
  spec.tracks = 2000;
  spec.container = "rf64";
  EXPECT_EQ(track_name(spec, 0), "track-0001.wav");
  EXPECT_EQ(track_name(spec, 1999), "track-2000.wav");
}

TEST(SetSpec, WavAndAiffBeyondFourGibNameTheContainerThatHoldsThem) {
  SetSpec spec;
  spec.rate = SampleRate{96000};
  spec.duration = std::chrono::hours{5};
  for (const char* container : {"wav", "aiff"}) {
    spec.container = container;
    EXPECT_NE(refusal_of([&] { check_set(spec); }).find("--container rf64"), std::string::npos) << container;
  }
  for (const char* container : {"rf64", "w64"}) {
    spec.container = container;
    EXPECT_EQ(refusal_of([&] { check_set(spec); }), "accepted") << container;
    EXPECT_GT(track_file_bytes(spec), Bytes{4} << 30);
  }
}

TEST(SetSpec, FlacHoldsNoFloatNo32BitsAndEightChannels) {
  SetSpec spec;
  spec.container = "flac";
  EXPECT_EQ(refusal_of([&] { check_set(spec); }), "accepted");
  spec.format = SampleFormat::f32_le;
  EXPECT_NE(refusal_of([&] { check_set(spec); }).find("S24_3LE"), std::string::npos);
  spec.format = SampleFormat::s32_le;
  EXPECT_NE(refusal_of([&] { check_set(spec); }), "accepted");
  spec.format = SampleFormat::s16_le;
  spec.channels = 9;
  EXPECT_NE(refusal_of([&] { check_set(spec); }).find("8 channels"), std::string::npos);
}

TEST(SetSpec, RefusesRangesThatMakeNoSet) {
  const auto refused = [](auto change) {
    SetSpec spec;
    change(spec);
    return refusal_of([&] { check_set(spec); }) != "accepted";
  };
  EXPECT_TRUE(refused([](SetSpec& spec) { spec.tracks = 0; }));
  EXPECT_TRUE(refused([](SetSpec& spec) { spec.channels = 1025; }));
  EXPECT_TRUE(refused([](SetSpec& spec) { spec.duration = Nanoseconds{0}; }));
  EXPECT_TRUE(refused([](SetSpec& spec) { spec.container = "mp3"; }));
  EXPECT_TRUE(refused([](SetSpec& spec) { spec.format = SampleFormat::f64_le; }));
}

}  // namespace
}  // namespace xrunlab
