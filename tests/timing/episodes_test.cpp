#include "xrunlab/timing/episodes.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(StarvationEpisodes, JoinsReadsWithLessThanASecondOfGoodSoundBetween) {
  StarvationEpisodes episodes;
  episodes.add(seconds{5}, milliseconds{30}, 2);
  episodes.add(seconds{5} + milliseconds{1029}, milliseconds{70}, 4);  // 999 ms after the first had ended
  episodes.add(seconds{5} + milliseconds{2099}, milliseconds{10}, 1);  // a whole second after the second
  ASSERT_EQ(episodes.all().size(), 2u);
  const auto& first = episodes.all()[0];
  EXPECT_EQ(first.at, seconds{5});
  EXPECT_EQ(first.duration, milliseconds{100});
  EXPECT_EQ(first.span, milliseconds{1099});
  EXPECT_EQ(first.reads, 2);
  EXPECT_EQ(first.track, 4u);
  EXPECT_EQ(episodes.all()[1].reads, 1);
  EXPECT_EQ(episodes.all()[1].track, 1u);
}

TEST(StarvationEpisodes, ListsTheFirstAndCountsAll) {
  StarvationEpisodes episodes;
  const auto most = static_cast<std::int64_t>(StarvationEpisodes::kMostListed);
  for (std::int64_t index = 0; index < most + 3; ++index)
    episodes.add(seconds{20 * index}, milliseconds{1 + index}, 0);
  episodes.add(seconds{20 * (most + 2)} + milliseconds{1} * (most + 3), milliseconds{500},
               7);  // joins the last
  EXPECT_EQ(episodes.all().size(), StarvationEpisodes::kMostListed);
  EXPECT_EQ(episodes.all().back().duration, milliseconds{most});
  EXPECT_EQ(episodes.count(), most + 3);
  EXPECT_EQ(episodes.longest(), milliseconds{most + 3 + 500});
}

TEST(Dropouts, CountsThoseLessThanASecondApartAsOne) {
  Dropouts dropouts;
  EXPECT_EQ(dropouts.count(), 0);
  dropouts.add(seconds{1}, milliseconds{500});
  dropouts.add(seconds{2}, milliseconds{0});
  EXPECT_EQ(dropouts.count(), 1);
  dropouts.add(seconds{3}, milliseconds{0});
  EXPECT_EQ(dropouts.count(), 2);
}

}  // namespace
}  // namespace xrunlab
