#include "xrunlab/core/sample_format.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

TEST(SampleFormat, NamesReadBackAsThemselves) {
  for (int index = 0; index <= static_cast<int>(SampleFormat::f64_be); ++index) {
    const auto format = static_cast<SampleFormat>(index);
    EXPECT_EQ(sample_format_from(to_string(format)), format);
  }
  EXPECT_EQ(sample_format_from("s24_3le"), SampleFormat::s24_3le);
  EXPECT_FALSE(sample_format_from("S24"));
}

TEST(SampleFormat, PackedAndPaddedTwentyFourBitsDiffer) {
  EXPECT_EQ(bytes_per_sample(SampleFormat::s24_3le), 3);
  EXPECT_EQ(bytes_per_sample(SampleFormat::s24_le), 4);
  EXPECT_EQ(significant_bits(SampleFormat::s24_le), 24);
}

}  // namespace
}  // namespace xrunlab
