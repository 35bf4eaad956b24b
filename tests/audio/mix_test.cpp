#include "xrunlab/audio/mix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "tests/audio/vector_targets.hpp"

namespace xrunlab {
namespace {

std::vector<float> noise(std::size_t samples, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> full_scale(-1.0F, 1.0F);
  std::vector<float> out(samples);
  for (float& sample : out) sample = full_scale(random);
  return out;
}

struct Set {
  std::vector<int> channels;  ///< of each track
  int card_channels = 2;
  Frames frames = 0;
};

/// Mixes the set by the library and returns it interleaved, the way the card gets it.
std::vector<float> mixed(const Set& set, const std::vector<std::vector<float>>& tracks) {
  const Frames stride = set.frames + 16;
  std::vector<float> planar(static_cast<std::size_t>(set.card_channels * stride), 7.0F);
  const PlanarFrames sum{planar.data(), set.card_channels, stride};
  clear(sum, set.frames);
  const float gain = 1.0F / static_cast<float>(tracks.size());
  std::int64_t first = 0;
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    mix_add(TrackFrames<float>{tracks[track].data(), set.channels[track], first}, gain, set.frames, sum);
    first += set.channels[track];
  }
  for (int channel = 0; channel < set.card_channels; ++channel) {
    for (Frames frame = set.frames; frame < stride; ++frame) {
      EXPECT_EQ(planar[static_cast<std::size_t>(channel * stride + frame)], 7.0F);
    }
  }
  std::vector<float> out(static_cast<std::size_t>(set.frames * set.card_channels) + 1, 7.0F);
  interleave(sum, set.frames, out.data());
  EXPECT_EQ(out.back(), 7.0F);
  out.pop_back();
  return out;
}

/// The same in double precision, frame by frame.
std::vector<double> reference(const Set& set, const std::vector<std::vector<float>>& tracks) {
  std::vector<double> out(static_cast<std::size_t>(set.frames * set.card_channels));
  for (Frames frame = 0; frame < set.frames; ++frame) {
    int file_channel = 0;
    for (std::size_t track = 0; track < tracks.size(); ++track) {
      for (int channel = 0; channel < set.channels[track]; ++channel, ++file_channel) {
        const auto at = static_cast<std::size_t>(frame * set.channels[track] + channel);
        const auto to =
            static_cast<std::size_t>(frame * set.card_channels + file_channel % set.card_channels);
        out[to] += static_cast<double>(tracks[track][at]) / static_cast<double>(tracks.size());
      }
    }
  }
  return out;
}

TEST(Mix, EverySetMatchesTheDoublePrecisionSumAndIsTheSameOnEveryTarget) {
  const std::vector<Set> sets{
      {{1, 1, 1, 1, 1, 1, 1}, 2, 1024},
      {{1, 1, 1}, 1, 37},
      {{2, 1, 2, 6}, 2, 100},
      {{2, 2, 3}, 1, 65},
      {{1, 2, 3, 4}, 3, 1},
      {{8, 2, 1}, 6, 333},
      {{2, 2}, 64, 41},
      {{1024, 1, 2}, 1024, 5},
      {{1, 2}, 2, 0},
      {std::vector<int>(64, 1), 2, 97},
      {{5000, 1}, 3, 3},
  };
  for (const Set& set : sets) {
    std::vector<std::vector<float>> tracks;
    for (const int channels : set.channels) {
      tracks.push_back(noise(static_cast<std::size_t>(set.frames * channels),
                             static_cast<std::uint32_t>(tracks.size() + 1)));
    }
    const std::vector<double> expected = reference(set, tracks);
    const std::vector<float> best = mixed(set, tracks);
    const auto contributions =
        std::accumulate(set.channels.begin(), set.channels.end(), 0.0) / set.card_channels + 1;
    for (std::size_t index = 0; index < expected.size(); ++index) {
      ASSERT_NEAR(static_cast<double>(best[index]), expected[index], contributions * contributions * 0x1p-23);
    }
    on_every_target([&] { EXPECT_EQ(mixed(set, tracks), best); });
  }
}

TEST(Mix, ChannelsArePannedInTurnOverAllTracks) {
  std::vector<float> planar(3);
  const PlanarFrames sum{planar.data(), 3, 1};
  const std::vector<float> stereo{1.0F, 2.0F};
  const float mono = 4.0F;
  mix_add({stereo.data(), 2, 2}, 0.5F, 1, sum);  // file channels 2 and 3
  mix_add({&mono, 1, 4}, 0.5F, 1, sum);          // file channel 4
  EXPECT_EQ(planar, (std::vector{1.0F, 2.0F, 0.5F}));
}

TEST(Mix, AnExactSampleAtUnityGainStaysExact) {
  on_every_target([] {
    const std::vector<float> track(40, 0x7fffff / 8388608.0F);
    std::vector<float> planar(40);
    const PlanarFrames sum{planar.data(), 1, 40};
    mix_add({track.data(), 1, 0}, 1.0F, 40, sum);
    EXPECT_EQ(planar, track);
  });
}

TEST(Place, FileChannelsStandOneToOneOnTheCardAndTheRestIsSilent) {
  std::vector<std::int32_t> buffer(8, 99);
  const CardFrames<std::int32_t> card{buffer.data(), 4};
  const std::vector<std::int32_t> stereo{INT32_MAX, INT32_MIN, 3, 4};
  const std::vector<std::int32_t> mono{5, 6};
  clear(card, 2);
  place({mono.data(), 1, 0}, 2, card);
  place({stereo.data(), 2, 1}, 2, card);
  EXPECT_EQ(buffer, (std::vector<std::int32_t>{5, INT32_MAX, INT32_MIN, 0, 6, 3, 4, 0}));
}

TEST(Place, ChannelsThatTheCardLacksAreLeftOut) {
  std::vector<float> buffer(4, 9.0F);
  const CardFrames<float> card{buffer.data(), 2};
  const std::vector<float> stereo{0.5F, 0.25F, 0.125F, 1.0F};
  clear(card, 2);
  place({stereo.data(), 2, 1}, 1.0F, 2, card);
  place({stereo.data(), 2, 2}, 1.0F, 2, card);
  EXPECT_EQ(buffer, (std::vector{0.0F, 0.5F, 0.0F, 0.125F}));
}

TEST(Place, FloatsTakeTheGain) {
  std::vector<float> buffer(4);
  const std::vector<float> stereo{0.5F, -0.25F, 1.0F, -1.0F};
  place({stereo.data(), 2, 0}, 0.5F, 2, CardFrames<float>{buffer.data(), 2});
  EXPECT_EQ(buffer, (std::vector{0.25F, -0.125F, 0.5F, -0.5F}));
}

}  // namespace
}  // namespace xrunlab
