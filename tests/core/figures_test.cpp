#include "xrunlab/core/figures.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace xrunlab {
namespace {

TEST(Figures, ThreeDigitsNeverShowAFourthOne) {
  EXPECT_EQ(three_digits(180), "180");
  EXPECT_EQ(three_digits(0.125), "0.125");
  EXPECT_EQ(three_digits(9.996), "10.0");
  EXPECT_EQ(three_digits(99.96), "100");
  EXPECT_EQ(three_digits(-12.34), "-12.3");
  EXPECT_EQ(three_digits(123456), "123456");
  EXPECT_EQ(three_digits(0), "0");
}

TEST(Figures, ShortDurationsTakeAFittingUnitAndSevenCharactersAtMost) {
  EXPECT_EQ(short_duration(0), "0ns");
  EXPECT_EQ(short_duration(999), "999ns");
  EXPECT_EQ(short_duration(999'600), "1.00ms");
  EXPECT_EQ(short_duration(23'219'954), "23.2ms");
  EXPECT_EQ(short_duration(970'847'000), "971ms");
  EXPECT_EQ(short_duration(2'199'000'000'000), "2199s");
  EXPECT_EQ(short_duration(36'000'000'000'000), "10.0h");
  EXPECT_LE(short_duration(INT64_MAX).size(), 7u);
}

TEST(Figures, SpokenDurationsReadLikeASentence) {
  EXPECT_EQ(spoken_duration(0), "0.0 s");
  EXPECT_EQ(spoken_duration(400'000'000), "400 ms");
  EXPECT_EQ(spoken_duration(23'219'954), "23.2 ms");
  EXPECT_EQ(spoken_duration(59'980'000'000), "60 s");
  EXPECT_EQ(spoken_duration(312'500'000'000), "5 min 13 s");
  EXPECT_EQ(spoken_duration(7'500'000'000'000), "2 h 5 min");
}

TEST(Figures, BytesAndCounts) {
  EXPECT_EQ(binary_bytes(8192), "8 KiB");
  EXPECT_EQ(binary_bytes(31'876'710), "30.4 MiB");
  EXPECT_EQ(binary_bytes(1023), "1023 B");
  EXPECT_EQ(counted(1, "track"), "1 track");
  EXPECT_EQ(counted(0, "xrun"), "0 xruns");
}

}  // namespace
}  // namespace xrunlab
