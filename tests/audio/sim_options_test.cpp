#include "xrunlab/audio/sim_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

TEST(SimOptions, EveryKeyIsTaken) {
  const auto options = parse_sim_options(
      "channels=6,rate=44.1k,formats=S32_LE+s16_le,period=192,ppm=-50,stall=3s+70ms,stall=10+1,capture=/x/"
      "y.wav");
  EXPECT_EQ(options.channels, 6);
  EXPECT_EQ(options.rate, SampleRate{44100});
  EXPECT_THAT(options.formats, testing::ElementsAre(SampleFormat::s32_le, SampleFormat::s16_le));
  EXPECT_EQ(options.period, 192);
  EXPECT_EQ(options.ppm, -50);
  EXPECT_THAT(options.stalls, testing::ElementsAre(SimStall{3s, 70ms}, SimStall{10s, 1s}));
  EXPECT_EQ(options.capture, "/x/y.wav");
}

TEST(SimOptions, NothingTypedIsAnUnlimitedCard) {
  const auto options = parse_sim_options("");
  EXPECT_FALSE(options.channels || options.rate || options.period);
  EXPECT_EQ(options.formats.front(), SampleFormat::s32_le);
}

TEST(SimOptions, AnUnknownKeyListsTheKeys) {
  try {
    parse_sim_options("chanels=6");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("'chanels'"));
    EXPECT_THAT(error.remedy(), testing::HasSubstr("channels, rate, formats, period, ppm, stall, capture"));
  }
}

TEST(SimOptions, RefusesValuesItCannotKeep) {
  for (const char* text : {"channels=0", "channels=1025", "rate=0", "formats=S20_LE", "formats=", "period=15",
                           "ppm=x", "stall=3s", "stall=3s+x", "capture=", "channels", ",", "ppm=600000",
                           "stall=8761h+1s", "stall=1s+8761h"}) {
    EXPECT_THROW(parse_sim_options(text), Error) << text;
  }
}

}  // namespace
}  // namespace xrunlab
