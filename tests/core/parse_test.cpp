#include "xrunlab/core/parse.hpp"

#include <gtest/gtest.h>

#include <clocale>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

std::string refusal_of(auto&& parse) {
  try {
    parse();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "accepted";
}

TEST(Parse, AudioSizesAreFramesTimesOrBytes) {
  EXPECT_EQ(parse_audio_size("--ring", "220500"), AudioSize(FrameCount{220500}));
  EXPECT_EQ(parse_audio_size("--ring", "5s"), AudioSize(Nanoseconds(5s)));
  EXPECT_EQ(parse_audio_size("--ring", "250ms"), AudioSize(Nanoseconds(250ms)));
  EXPECT_EQ(parse_audio_size("--ring", "20MiB"), AudioSize(ByteCount{20 << 20}));
  EXPECT_EQ(parse_audio_size("--ring", "20MB"), AudioSize(ByteCount{20'000'000}));
}

TEST(Parse, BarePrefixIsRefusedWithBothMeanings) {
  const auto text = refusal_of([] { parse_bytes("--io-size", "2M"); });
  EXPECT_NE(text.find("2MiB (1048576)"), std::string::npos) << text;
  EXPECT_NE(text.find("2MB (1000000)"), std::string::npos) << text;
  EXPECT_NE(refusal_of([] { parse_audio_size("--ring", "64k"); }).find("64KiB"), std::string::npos);
}

TEST(Parse, PlainDurationIsSeconds) {
  EXPECT_EQ(parse_duration("-d", "60"), 60s);
  EXPECT_EQ(parse_duration("-d", "1.5m"), 90s);
  EXPECT_EQ(parse_duration("-d", "70us"), 70us);
  EXPECT_EQ(refusal_of([] { parse_duration("-d", "-1"); }), "-d: '-1' is negative");
  EXPECT_NE(refusal_of([] { parse_duration("-d", "soon"); }), "accepted");
  EXPECT_NE(refusal_of([] { parse_duration("-d", "1e300h"); }), "accepted");
}

TEST(Parse, PlainMicrosecondsOrATimeWithItsUnit) {
  EXPECT_EQ(parse_microseconds("--dma-latency", "0", 1s), 0us);
  EXPECT_EQ(parse_microseconds("--dma-latency", "1000000", 1s), 1s);
  EXPECT_EQ(parse_microseconds("--dma-latency", "1.5ms", 1s), 1500us);
  for (const char* text : {"", "-1", "1000001", "1001ms", "1.5", "many"})
    EXPECT_NE(refusal_of([text] { parse_microseconds("--dma-latency", text, 1s); }), "accepted") << text;
}

TEST(Parse, ListsHaveNoEmptyParts) {
  EXPECT_EQ(parse_list("--by", "ring"), std::vector<std::string>{"ring"});
  EXPECT_EQ(parse_list("--by", "ring,io-size"), (std::vector<std::string>{"ring", "io-size"}));
  for (const char* text : {"", ",", "ring,", ",ring", "ring,,set"})
    EXPECT_NE(refusal_of([text] { parse_list("--by", text); }), "accepted") << text;
}

TEST(Parse, RatesAndGains) {
  EXPECT_EQ(parse_rate("-r", "44.1k").hz, 44100u);
  EXPECT_EQ(parse_rate("-r", "48000").hz, 48000u);
  EXPECT_NE(refusal_of([] { parse_rate("-r", "0"); }), "accepted");
  EXPECT_DOUBLE_EQ(parse_gain_db("--gain", "-40"), -40);
  EXPECT_DOUBLE_EQ(parse_gain_db("--gain", "+3.5dB"), 3.5);
  EXPECT_NE(refusal_of([] { parse_gain_db("--gain", "loud"); }), "accepted");
}

TEST(Parse, DoesNotDependOnTheLocale) {
  const char* const granted = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(parse_duration("-d", "0.5"), 500ms) << (granted ? granted : "C");
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace xrunlab
