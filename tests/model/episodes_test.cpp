#include "xrunlab/model/episodes.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

constexpr std::int64_t kMs = 1'000'000;

TEST(Episodes, ReadsLessThanASecondApartAreOneEpisode) {
  const auto episodes = join_episodes({{0, 100 * kMs, 3}, {1099 * kMs, 50 * kMs, 4}});
  ASSERT_EQ(episodes.size(), 1u);
  EXPECT_EQ(episodes[0], (StarvationData{0, 150 * kMs, 1149 * kMs, 2, 3}));
}

TEST(Episodes, ASecondOfGoodFragmentsPartsThem) {
  const auto episodes = join_episodes({{0, 100 * kMs, 3}, {1100 * kMs, 50 * kMs, 4}});
  ASSERT_EQ(episodes.size(), 2u);
  EXPECT_EQ(episodes[1], (StarvationData{1100 * kMs, 50 * kMs, 50 * kMs, 1, 4}));
}

TEST(Episodes, TheTrackIsTheOneWaitedForLongestInSum) {
  const auto episodes = join_episodes({{0, 10 * kMs, 7}, {20 * kMs, 12 * kMs, 2}, {40 * kMs, 5 * kMs, 7}});
  ASSERT_EQ(episodes.size(), 1u);
  EXPECT_EQ(episodes[0].track, 7);
}

TEST(Episodes, ReadsNeedNotBeSortedAndNoneGiveNone) {
  EXPECT_EQ(join_episodes({{2000 * kMs, kMs, 1}, {0, kMs, 1}}).front().at_ns, 0);
  EXPECT_TRUE(join_episodes({}).empty());
}

TEST(Episodes, CountersAreTheirSums) {
  CountersData counters;
  count_starvation(join_episodes({{0, 10 * kMs, 0}, {20 * kMs, 12 * kMs, 0}, {5000 * kMs, 15 * kMs, 0}}),
                   counters);
  EXPECT_EQ(counters.starvation_episodes, 2);
  EXPECT_EQ(counters.starved_reads, 3);
  EXPECT_EQ(counters.starved_ns, 37 * kMs);
  EXPECT_EQ(counters.starvation_longest_ns, 22 * kMs);
}

TEST(Episodes, XrunsAndSilencesLessThanASecondApartAreOneDropout) {
  const std::vector<XrunData> xruns{{0, 50 * kMs}, {3000 * kMs, {}}};
  EXPECT_EQ(count_dropouts(xruns, {}), 2);
  const std::vector<StarvedRead> near_both{{1049 * kMs, 1000 * kMs, 0}};
  EXPECT_EQ(count_dropouts(xruns, near_both), 1);
  const std::vector<StarvedRead> apart{{1050 * kMs, 23 * kMs, 0}};
  EXPECT_EQ(count_dropouts(xruns, apart), 3);
  EXPECT_EQ(count_dropouts({}, {}), 0);
}

}  // namespace
}  // namespace xrunlab
