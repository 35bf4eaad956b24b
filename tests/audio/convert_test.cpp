#include "xrunlab/audio/convert.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "tests/audio/guarded_pages.hpp"
#include "tests/audio/sample_reference.hpp"
#include "tests/audio/vector_targets.hpp"

namespace xrunlab {
namespace {

using enum SampleFormat;
using Octets = std::vector<std::byte>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr std::array kAllFormats{u8,     s8,     s16_le, s16_be, s24_3le, s24_3be, s24_le,
                                 s32_le, s32_be, f32_le, f32_be, f64_le,  f64_be};

Octets bytes_of(std::initializer_list<int> values) {
  Octets bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Octets from_floats(SampleFormat to, const std::vector<float>& in) {
  Octets out(in.size() * size_of(to));
  from_float(to, in.data(), in.size(), out.data());
  return out;
}

/// All bit patterns of a narrow integer format, in order, little-endian.
Octets all_values(int bytes, std::uint32_t first, std::uint32_t count) {
  Octets all;
  all.reserve(static_cast<std::size_t>(bytes) * count);
  for (std::uint32_t value = first; value < first + count; ++value) {
    for (int index = 0; index < bytes; ++index) {
      all.push_back(static_cast<std::byte>(value >> (8 * index) & 0xffU));
    }
  }
  return all;
}

TEST(Convert, Every24BitIntegerComesBackFromFloatExactly) {
  constexpr std::uint32_t kChunk = 1U << 20;
  std::vector<float> floats(kChunk);
  std::vector<float> expected(kChunk);
  std::vector<std::int32_t> integers(kChunk);
  Octets back(std::size_t{4} * kChunk);
  for (std::uint32_t first = 0; first < 1U << 24; first += kChunk) {
    const Octets packed = all_values(3, first, kChunk);
    for (std::uint32_t index = 0; index < kChunk; ++index) {
      integers[index] = static_cast<std::int32_t>((first + index) << 8);
      expected[index] = static_cast<float>(integers[index] / 0x1p31);
    }
    on_every_target([&] {
      to_float(s24_3le, packed.data(), kChunk, floats.data());
      ASSERT_EQ(floats, expected);
      ASSERT_EQ(from_float(s24_3le, floats.data(), kChunk, back.data()), 0U);
      ASSERT_EQ(std::memcmp(back.data(), packed.data(), packed.size()), 0);
      from_float(s32_le, floats.data(), kChunk, back.data());
      ASSERT_EQ(std::memcmp(back.data(), integers.data(), back.size()), 0);
      from_float(s24_le, floats.data(), kChunk, back.data());
      to_int32(s24_le, back.data(), kChunk, integers.data());
      ASSERT_EQ(static_cast<std::uint32_t>(integers[1]) >> 8, first + 1);
      from_int32(s24_3le, integers.data(), kChunk, back.data());
      ASSERT_EQ(std::memcmp(back.data(), packed.data(), packed.size()), 0);
    });
  }
}

TEST(Convert, EveryNarrowIntegerComesBackFromFloatAndInt32Exactly) {
  for (const SampleFormat format : {s16_le, s16_be, u8, s8}) {
    SCOPED_TRACE(to_string(format));
    const int bytes = bytes_per_sample(format);
    const std::uint32_t count = 1U << (8 * bytes);
    const Octets all = all_values(bytes, 0, count);
    std::vector<float> floats(count);
    std::vector<std::int32_t> integers(count);
    on_every_target([&] {
      to_float(format, all.data(), count, floats.data());
      EXPECT_EQ(from_floats(format, floats), all);
      to_int32(format, all.data(), count, integers.data());
      Octets back(all.size());
      from_int32(format, integers.data(), count, back.data());
      EXPECT_EQ(back, all);
    });
  }
}

TEST(Convert, CardGetsTheBytesThatAlsaExpects) {
  const Octets in = bytes_of({0x56, 0x34, 0x12, 0xfe, 0xff, 0xff});  // 0x123456 and -2
  std::vector<float> floats(2);
  to_float(s24_3le, in.data(), 2, floats.data());
  EXPECT_EQ(from_floats(s24_3le, floats), in);
  EXPECT_EQ(from_floats(s24_le, floats), bytes_of({0x56, 0x34, 0x12, 0x00, 0xfe, 0xff, 0xff, 0xff}));
  EXPECT_EQ(from_floats(s32_le, floats), bytes_of({0x00, 0x56, 0x34, 0x12, 0x00, 0xfe, 0xff, 0xff}));
}

TEST(Convert, TopByteOfPadded24BitSamplesIsIgnored) {
  const Octets in = bytes_of({0x56, 0x34, 0x12, 0xaa, 0xff, 0xff, 0xff, 0x00});
  std::array<float, 2> floats{};
  to_float(s24_le, in.data(), 2, floats.data());
  EXPECT_EQ(floats[0], 0x123456 / 8388608.0F);
  EXPECT_EQ(floats[1], -1 / 8388608.0F);
}

TEST(Convert, UnsignedEightBitIsSilentAt128) {
  const Octets in = bytes_of({0, 64, 128, 255});
  std::array<float, 4> floats{};
  to_float(u8, in.data(), 4, floats.data());
  EXPECT_EQ(floats, (std::array{-1.0F, -0.5F, 0.0F, 127 / 128.0F}));
}

TEST(Convert, FullScaleSaturatesAndOnlyWhatLiesBeyondItIsCounted) {
  const std::vector<float> in{
      1.0F,      -1.0F,     std::nextafter(1.0F, 2.0F), std::nextafter(-1.0F, -2.0F), 1e30F, -1e30F, kNan,
      kInfinity, -kInfinity};
  std::vector<float> many;  // long enough for whole vectors of every target
  for (int repeat = 0; repeat < 32; ++repeat) many.insert(many.end(), in.begin(), in.end());
  on_every_target([&] {
    std::vector<std::int32_t> out(many.size());
    auto* const bytes = reinterpret_cast<std::byte*>(out.data());
    EXPECT_EQ(from_float(s32_le, many.data(), many.size(), bytes), 32U * 6U);
    const std::vector<std::int32_t> expected{INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX,
                                             INT32_MIN, 0,         INT32_MAX, INT32_MIN};
    for (std::size_t index = 0; index < out.size(); ++index) ASSERT_EQ(out[index], expected[index % 9]);
  });
}

TEST(Convert, FloatCardsKeepWhatLiesBeyondFullScale) {
  on_every_target([] {
    const std::vector<float> in(40, 1.5F);
    std::vector<float> out(in.size());
    EXPECT_EQ(from_float(f32_le, in.data(), in.size(), reinterpret_cast<std::byte*>(out.data())), 40U);
    EXPECT_EQ(out, in);
  });
}

TEST(Convert, IntegersAreRoundedToTheNearestAndClippedAtTheTop) {
  const std::vector<std::int32_t> in{0x7fffffff, 0x12348000, 0x12347fff, -0x8000, -0x8001, INT32_MIN};
  std::vector<std::int16_t> out(in.size());
  from_int32(s16_le, in.data(), in.size(), reinterpret_cast<std::byte*>(out.data()));
  EXPECT_EQ(out, (std::vector<std::int16_t>{0x7fff, 0x1235, 0x1234, 0, -1, INT16_MIN}));
}

TEST(Convert, FloatsBecomeRoundedClippedInt32) {
  const std::vector<float> in{0.5F, 1.0F, -1.0F, 2.0F, kNan, 0x1p-31F, 0x1p-32F, 0x3p-32F};
  std::vector<std::int32_t> out(in.size());
  to_int32(f32_le, reinterpret_cast<const std::byte*>(in.data()), in.size(), out.data());
  EXPECT_EQ(out, (std::vector<std::int32_t>{1 << 30, INT32_MAX, INT32_MIN, INT32_MAX, 0, 1, 0, 2}));
}

/// Random bytes; samples of float formats get values near full scale instead.
void fill(SampleFormat format, std::byte* at, std::size_t samples, std::mt19937& random) {
  std::uniform_real_distribution<double> near_full_scale(-1.2, 1.2);
  for (std::size_t index = 0; index < samples; ++index) {
    std::uint64_t bits = random() | static_cast<std::uint64_t>(random()) << 32;
    if (is_float(format)) bits = reference_bits(format, near_full_scale(random));
    for (std::size_t octet = 0; octet < size_of(format); ++octet) {
      const std::size_t place = stored_big_endian(format) ? size_of(format) - 1 - octet : octet;
      at[index * size_of(format) + place] = static_cast<std::byte>(bits >> (8 * octet) & 0xffU);
    }
  }
}

TEST(Convert, EveryFormatLengthAndAlignmentMatchesTheReferenceAndStaysInBounds) {
  constexpr std::size_t kLongest = 100;
  std::mt19937 random(2000);
  GuardedPages source(8 * kLongest + 8);
  GuardedPages target(8 * kLongest);
  for (const SampleFormat format : kAllFormats) {
    SCOPED_TRACE(to_string(format));
    on_every_target([&] {
      for (std::size_t samples = 0; samples <= kLongest; ++samples) {
        const std::byte* const in = source.last(samples * size_of(format));
        fill(format, source.last(samples * size_of(format)), samples, random);
        auto* const floats = reinterpret_cast<float*>(target.last(samples * sizeof(float)));
        to_float(format, in, samples, floats);
        for (std::size_t index = 0; index < samples; ++index) {
          const double expected = reference_value(format, in + index * size_of(format));
          ASSERT_EQ(floats[index], static_cast<float>(expected)) << samples << " samples, at " << index;
        }
        auto* const integers = reinterpret_cast<std::int32_t*>(floats);
        to_int32(format, in, samples, integers);
        for (std::size_t index = 0; index < samples; ++index) {
          const double expected = reference_value(format, in + index * size_of(format));
          ASSERT_EQ(integers[index], reference_integer(expected, 32)) << samples << " samples, at " << index;
        }
      }
    });
  }
}

TEST(Convert, EveryCardFormatAndLengthMatchesTheReferenceAndStaysInBounds) {
  constexpr std::size_t kLongest = 100;
  std::mt19937 random(2004);
  GuardedPages source(8 * kLongest);
  GuardedPages target(8 * kLongest);
  for (const SampleFormat format : kAllFormats) {
    SCOPED_TRACE(to_string(format));
    on_every_target([&] {
      for (std::size_t samples = 0; samples <= kLongest; ++samples) {
        std::byte* const bytes = source.last(samples * sizeof(float));
        fill(f32_le, bytes, samples, random);
        const auto* const in = reinterpret_cast<const float*>(bytes);
        std::byte* const out = target.last(samples * size_of(format));
        std::byte* const before = out - 1;
        *before = std::byte{0x5a};
        std::size_t over = 0;
        for (std::size_t index = 0; index < samples; ++index) over += std::fabs(in[index]) > 1.0F ? 1U : 0U;
        ASSERT_EQ(from_float(format, in, samples, out), over);
        ASSERT_EQ(*before, std::byte{0x5a});
        for (std::size_t index = 0; index < samples; ++index) {
          const double value = static_cast<double>(in[index]);
          ASSERT_EQ(bits_at(format, out + index * size_of(format)), reference_bits(format, value))
              << samples << " samples, at " << index;
        }
      }
    });
  }
}

TEST(Convert, MisalignedInputAndOutputGiveTheSameSamples) {
  constexpr std::size_t kSamples = 257;
  std::mt19937 random(2011);
  for (const SampleFormat format : {s16_le, s24_3le, s24_le, s32_le, f32_le, f64_le}) {
    SCOPED_TRACE(to_string(format));
    Octets aligned(kSamples * size_of(format));
    fill(format, aligned.data(), kSamples, random);
    std::vector<float> expected(kSamples);
    to_float(format, aligned.data(), kSamples, expected.data());
    const Octets card = from_floats(format, expected);
    for (std::size_t offset = 1; offset < 17; ++offset) {
      Octets shifted(offset + aligned.size());
      std::memcpy(shifted.data() + offset, aligned.data(), aligned.size());
      std::vector<float> floats(kSamples);
      to_float(format, shifted.data() + offset, kSamples, floats.data());
      EXPECT_EQ(floats, expected);
      from_float(format, floats.data(), kSamples, shifted.data() + offset);
      EXPECT_EQ(std::memcmp(shifted.data() + offset, card.data(), card.size()), 0);
    }
  }
}

TEST(Convert, TheTargetInUseIsNamed) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const ForcedTarget forced(target);
    EXPECT_STREQ(conversion_target(), hwy::TargetName(target));
  }
}

}  // namespace
}  // namespace xrunlab
