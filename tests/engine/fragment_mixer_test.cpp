#include "xrunlab/engine/fragment_mixer.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "xrunlab/engine/converted_tracks.hpp"

namespace xrunlab::test::fragment_mixer_tests {
namespace {

constexpr Frames kFragment = 4;

/// Tracks converted once and for all.
class FixedSource final : public FragmentSource {
 public:
  FixedSource(const std::vector<TrackLayout>& tracks, SamplePath path) : converted(tracks, kFragment, path) {}
  TakenFragment take(Nanoseconds) noexcept override { return {}; }
  std::span<const TrackFrames<float>> as_float() const noexcept override { return converted.as_float(); }
  std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept override {
    return converted.as_int32();
  }
  template <class Sample>
  void set(std::size_t track, const std::vector<Sample>& samples, Frames frames, Frames at = 0) {
    converted.convert(track, reinterpret_cast<const std::byte*>(samples.data()), frames, at);
  }

  ConvertedTracks converted;
};

template <class Sample>
std::vector<Sample> card_samples(const std::byte* card, std::size_t count) {
  std::vector<Sample> samples(count);
  std::memcpy(samples.data(), card, count * sizeof(Sample));
  return samples;
}

using Shorts = std::vector<std::int16_t>;
using Words = std::vector<std::int32_t>;

TEST(FragmentMixer, MixesWithOneShareATrackAndPansInTurn) {
  FixedSource source({{SampleFormat::s16_le, 1}, {SampleFormat::s16_le, 2}, {SampleFormat::s16_le, 1}},
                     SamplePath::float32);
  source.set(0, Shorts{300, 600, 900, 1200}, 4);
  source.set(1, Shorts{30, 3, 60, 6, 90, 9, 120, 12}, 4);
  source.set(2, Shorts{3000, 3000, 3000, 3000}, 4);
  FragmentMixer mixer({.card_format = SampleFormat::s16_le, .card_channels = 2, .fragment = kFragment});
  // File channels 0 and 2 go left, 1 and 3 right.
  EXPECT_EQ(card_samples<std::int16_t>(mixer.render(source, 4), 8),
            (Shorts{101, 1010, 202, 1020, 303, 1030, 404, 1040}));
  EXPECT_EQ(mixer.clipped(), 0);
}

TEST(FragmentMixer, DirectPutsChannelsSideBySideAndPadsWithSilence) {
  FixedSource source({{SampleFormat::s16_le, 2}, {SampleFormat::s16_le, 1}}, SamplePath::float32);
  source.set(0, Shorts{1, -2, 3, -4, 5, -6, 7, -8}, 4);
  source.set(1, Shorts{10, 20, 30, 40}, 4);
  FragmentMixer mixer({.map = ChannelMap::direct,
                       .card_format = SampleFormat::s16_le,
                       .card_channels = 4,
                       .fragment = kFragment});
  EXPECT_EQ(card_samples<std::int16_t>(mixer.render(source, 4), 16),
            (Shorts{1, -2, 10, 0, 3, -4, 20, 0, 5, -6, 30, 0, 7, -8, 40, 0}));
}

TEST(FragmentMixer, FullRangeIntegersPassUntouched) {
  FixedSource source({{SampleFormat::s32_le, 1}, {SampleFormat::s16_le, 1}}, SamplePath::int32);
  source.set(0, Words{INT32_MIN, INT32_MAX, 1, -1}, 4);
  source.set(1, Shorts{INT16_MIN, INT16_MAX, 1, 0}, 4);
  FragmentMixer mixer({.map = ChannelMap::direct, .card_channels = 2, .fragment = kFragment});
  EXPECT_EQ(card_samples<std::int32_t>(mixer.render(source, 4), 8),
            (Words{INT32_MIN, INT32_MIN, INT32_MAX, 0x7fff0000, 1, 0x10000, -1, 0}));
}

TEST(FragmentMixer, GainIsAppliedAndWhatLiesOutsideIsClippedAndCounted) {
  FixedSource source({{SampleFormat::s16_le, 1}}, SamplePath::float32);
  source.set(0, Shorts{16384, -16384, 32767, 100}, 4);
  MixerConfig config{.map = ChannelMap::direct,
                     .card_format = SampleFormat::s16_le,
                     .card_channels = 1,
                     .fragment = kFragment,
                     .gain_db = 20};
  FragmentMixer mixer(config);
  EXPECT_EQ(card_samples<std::int16_t>(mixer.render(source, 4), 4), (Shorts{32767, -32768, 32767, 1000}));
  EXPECT_EQ(mixer.clipped(), 3);
}

TEST(FragmentMixer, EveryBufferBeginsOnAPage) {
  FixedSource source({{SampleFormat::s16_le, 1}}, SamplePath::float32);
  // Large ones too: malloc puts those 16 bytes behind a page's beginning.
  for (const Frames fragment : {Frames{4}, Frames{100'000}}) {
    FragmentMixer mixer({.card_channels = 2, .fragment = fragment});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mixer.render(source, 4)) % 4096, 0u);
  }
  const PageVector<float> floats(100'000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(floats.data()) % 4096, 0u);
}

TEST(FragmentMixer, SilenceIsTheFormatsOwn) {
  FragmentMixer mixer({.card_format = SampleFormat::u8, .card_channels = 2, .fragment = kFragment});
  EXPECT_EQ(card_samples<std::uint8_t>(mixer.silence(3), 6), (std::vector<std::uint8_t>(6, 128)));
}

TEST(ConvertedTracks, ConvertsToItsPlaceAndSilencesTheRest) {
  FixedSource source({{SampleFormat::s16_le, 2}, {SampleFormat::u8, 1}}, SamplePath::float32);
  source.set(0, Shorts{1, 2, 3, 4, 5, 6, 7, 8}, 4);
  source.set(1, std::vector<std::uint8_t>{0, 64, 128, 192}, 4);
  source.set(0, Shorts{100, 200}, 1, 2);
  source.converted.silence(0, 3);
  const auto& track = source.as_float()[0];
  const float expected[] = {1, 2, 3, 4, 100, 200, 0, 0};
  for (std::size_t index = 0; index < 8; ++index)
    EXPECT_EQ(track.samples[index] * 32768, expected[index]) << index;
  EXPECT_EQ(source.as_float()[1].first_channel, 2);
  EXPECT_EQ(source.as_float()[1].samples[0], -1.0F);
  EXPECT_EQ(source.as_float()[1].samples[3], 0.5F);
  EXPECT_TRUE(source.as_int32().empty());
}

}  // namespace
}  // namespace xrunlab::test::fragment_mixer_tests
