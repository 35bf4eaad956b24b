#include "xrunlab/model/episode_facts.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

constexpr std::int64_t kMs = 1'000'000;
// A fragment lasts 20 ms, the card holds two.
constexpr CardGeometry kCard{{1000}, 20, 40};

EpisodeMarks::Late late(std::int64_t index, std::int64_t end_ms, std::int64_t t2_ms, std::int64_t t3_ms,
                        std::int64_t planned_ms = -1, std::int64_t slack = 20) {
  EpisodeMarks::Late mark{.ended_ns = end_ms * kMs};
  mark.fragment = {.index = index,
                   .t1_ns = 1000,
                   .t2_ns = t2_ms * kMs,
                   .t3_ns = t3_ms * kMs,
                   .planned_ns = planned_ms < 0 ? -1 : planned_ms * kMs,
                   .fill_frames = 1000,
                   .slack_frames = slack};
  return mark;
}

std::vector<FoundEpisode> find(const EpisodeMarks& marks, ReadAhead read_ahead = ReadAhead::ring) {
  return find_episodes(marks, kCard, read_ahead);
}

TEST(EpisodeFacts, StarvedReadsWithinASecondAreOneEpisodeOfTheLongestWait) {
  const auto found = find({.waits = {{1000 * kMs, 30 * kMs, 4},
                                     {1500 * kMs, 70 * kMs, 2},
                                     {2569 * kMs, 5 * kMs, 7},
                                     {3574 * kMs, 5 * kMs, 8}},
                           .xruns = {},
                           .late = {}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].facts.kind, EpisodeKind::starvation);
  EXPECT_EQ(found[0].facts.start_ns, 1000 * kMs);
  EXPECT_EQ(found[0].facts.duration_ns, 105 * kMs);
  EXPECT_EQ(found[0].facts.window.size(), 3u);
  EXPECT_EQ(found[0].facts.track, 2u);
  EXPECT_EQ(found[1].facts.start_ns, 3574 * kMs);
}

TEST(EpisodeFacts, AnXrunInAStarvationNamesItAndItsLongFragmentIsPartOfBoth) {
  const auto found = find({.waits = {{1000 * kMs, 300 * kMs, 0}},
                           .xruns = {{1030 * kMs, 272 * kMs}, {5000 * kMs, 10 * kMs}},
                           .late = {late(50, 1301, 0, 301), late(250, 5010, 0, 50)}});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].facts.kind, EpisodeKind::starvation);
  EXPECT_EQ(found[1].facts.kind, EpisodeKind::xrun);
  EXPECT_EQ(found[1].within, 0u);
  EXPECT_EQ(found[2].facts.kind, EpisodeKind::xrun);
  EXPECT_EQ(found[2].within, std::nullopt);
}

TEST(EpisodeFacts, TheWindowOfAnXrunReachesFromTheLastFragmentInTimeToTheRestart) {
  const auto found = find({.waits = {},
                           .xruns = {{1020 * kMs, 15 * kMs}},
                           .late = {late(49, 990, 0, 25), late(50, 1030, 0, 40)}});
  ASSERT_EQ(found.size(), 1u);
  const auto& facts = found[0].facts;
  EXPECT_EQ(facts.start_ns, 1020 * kMs);
  EXPECT_EQ(facts.duration_ns, 15 * kMs);
  EXPECT_EQ(facts.window, (std::vector<Span>{{965 * kMs, 1035 * kMs}})) << "the late one before it, too";
  EXPECT_EQ(facts.lost_ns, (70 - 2 * 20) * kMs);
}

TEST(EpisodeFacts, SectionsCountFromTwiceAFragmentOn) {
  const auto found = find({.waits = {},
                           .xruns = {},
                           .late = {late(1, 1000, 0, 40), late(50, 3000, 0, 41), late(100, 5000, 0, 60),
                                    late(101, 5070, 10, 60)}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].facts.kind, EpisodeKind::outside);
  EXPECT_EQ(found[0].facts.start_ns, (3000 - 41) * kMs);
  EXPECT_EQ(found[0].facts.duration_ns, 41 * kMs);
  EXPECT_EQ(found[0].facts.lost_ns, 21 * kMs);
  EXPECT_EQ(found[1].facts.duration_ns, 120 * kMs) << "fragments behind one another are one episode";
  EXPECT_EQ(found[1].facts.window.size(), 2u);
}

TEST(EpisodeFacts, ALongReadIsNamedAsSuchAndIsTheThreadsOwnWithoutARing) {
  auto mark = late(3, 1000, 0, 100);
  mark.fragment.t1_ns = 90 * kMs;
  const auto found = find({.waits = {}, .xruns = {}, .late = {mark}}, ReadAhead::none);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].facts.kind, EpisodeKind::ring_read);
  EXPECT_EQ(found[0].facts.duration_ns, 90 * kMs);
  EXPECT_EQ(found[0].facts.own_reads, (std::vector<Span>{{900 * kMs, 990 * kMs}}));
}

TEST(EpisodeFacts, TheFirstReadIsInItsWindowThoughThereIsNoSectionOutsideAWriteYet) {
  auto mark = late(0, 1000, 0, 0);
  mark.fragment.t1_ns = 90 * kMs;
  mark.fragment.t3_ns = -1;
  const auto found = find({.waits = {}, .xruns = {}, .late = {mark}}, ReadAhead::none);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].facts.start_ns, 910 * kMs);
  EXPECT_EQ(found[0].facts.window, (std::vector<Span>{{910 * kMs, 1000 * kMs}}));
  EXPECT_EQ(found[0].facts.own_reads, (std::vector<Span>{{910 * kMs, 1000 * kMs}}));
  EXPECT_EQ(found[0].facts.lost_ns, 70 * kMs);
}

TEST(EpisodeFacts, ALongWriteIsNoFaultUnlessTheCardRanLowOrStoodStill) {
  // Woken 30 ms late with half of the slack left: it waits by design.
  EXPECT_TRUE(find({.waits = {}, .xruns = {}, .late = {late(1, 1000, 50, 0, 970, 10)}}).empty());
  auto found = find({.waits = {}, .xruns = {}, .late = {late(1, 1000, 50, 0, 970, 3)}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].facts.kind, EpisodeKind::pcm_write);
  EXPECT_EQ(found[0].facts.wake_late_ns, 30 * kMs);
  EXPECT_TRUE(found[0].facts.card_held.empty());
  // The card had room only 100 ms after the write began; 20 would have been usual.
  found = find({.waits = {}, .xruns = {}, .late = {late(1, 1000, 100, 0, 1000, 20)}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].facts.kind, EpisodeKind::pcm_write);
  EXPECT_EQ(found[0].facts.card_held, (std::vector<Span>{{920 * kMs, 1000 * kMs}}));
  EXPECT_EQ(found[0].facts.start_ns, 900 * kMs);
  EXPECT_EQ(found[0].facts.duration_ns, 100 * kMs);
}

}  // namespace
}  // namespace xrunlab
