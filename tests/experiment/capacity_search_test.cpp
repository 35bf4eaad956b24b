#include "xrunlab/experiment/capacity_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "xrunlab/experiment/capacity_ladder.hpp"

namespace xrunlab {
namespace {

/// `optimistic`: right only at the limit, as those of a disk that serves bursts quicker than it lasts.
enum class Figures { none, good, misleading, optimistic };

/// A machine that manages up to `edge` tracks, but for a share of failures that has nothing to do with them.
struct FakeMachine {
  double edge = 100;
  double false_failures = 0;
  double width = 0;  ///< relative width of the cliff; 0: sharp
  Figures figures = Figures::none;
  std::mt19937_64 random{1};

  bool happens(double probability) { return std::uniform_real_distribution<>(0, 1)(random) < probability; }
  std::optional<TrialView> run(std::int64_t value) {
    const auto tracks = static_cast<double>(value);
    const bool beyond =
        width > 0 ? happens(1 / (1 + std::exp(-(tracks / edge - 1) / width * 8))) : tracks > edge;
    TrialView view;
    if (beyond || happens(false_failures)) {
      view.outcome = TrialOutcome::fail;
    } else {
      view.outcome = tracks * 1.1 > edge ? TrialOutcome::marginal : TrialOutcome::pass;
    }
    if (figures != Figures::none) {
      const double rough = std::lognormal_distribution<>(0, 0.02)(random);
      view.edge = figures == Figures::misleading ? tracks * 3 * rough : edge * rough;
      if (figures == Figures::optimistic && view.outcome != TrialOutcome::fail) {
        *view.edge = std::max(*view.edge, edge * edge / tracks) * 1.3;
      }
      view.comfortable_edge = *view.edge / 1.1;
    }
    return view;
  }
};

std::optional<TrialView> without_figures(TrialOutcome outcome, const std::string& reason) {
  TrialView view;
  view.outcome = outcome;
  view.reason = reason;
  return view;
}

struct Searched {
  SearchResult result;
  std::vector<std::int64_t> values;  ///< of the trials, in order
};

Searched search(FakeMachine machine, std::int64_t most = 4096, int confirm = 5) {
  Searched searched;
  const SearchPlan plan{.ladder = track_ladder(most), .start = 15, .confirm = confirm};
  searched.result = search_capacity(plan, [&](std::int64_t value) {
    searched.values.push_back(value);
    return machine.run(value);
  });
  return searched;
}

/// Steps of the ladder between the answer and the hardest step within the edge.
int steps_off(const SearchResult& result, double edge, std::int64_t most = 4096) {
  const auto ladder = track_ladder(most);
  const auto position = [&ladder](double value) {
    return std::upper_bound(ladder.begin(), ladder.end(), static_cast<std::int64_t>(value)) - ladder.begin();
  };
  const auto answer = result.answer ? static_cast<double>(result.answer->value) : 0;
  return static_cast<int>(std::abs(position(answer) - position(edge)));
}

struct Seeded {
  int near = 0;  ///< searches whose answer is within one step
  double mean_trials = 0;
  int most_trials = 0;
};

/// A thousand searches for edges from 1 to 3,000 tracks.
Seeded search_often(const FakeMachine& like) {
  constexpr int kSearches = 1000;
  Seeded seen;
  for (int seed = 1; seed <= kSearches; ++seed) {
    FakeMachine machine = like;
    machine.random.seed(static_cast<std::uint64_t>(seed));
    machine.edge = std::exp(std::uniform_real_distribution<>(0, std::log(3000))(machine.random));
    const SearchResult result = search(machine).result;
    seen.near += steps_off(result, machine.edge) <= 1 ? 1 : 0;
    seen.mean_trials += static_cast<double>(result.trials) / kSearches;
    seen.most_trials = std::max(seen.most_trials, result.trials);
  }
  ::testing::Test::RecordProperty("near", seen.near);
  ::testing::Test::RecordProperty("mean_trials", std::to_string(seen.mean_trials));
  ::testing::Test::RecordProperty("most_trials", seen.most_trials);
  return seen;
}

TEST(CapacitySearch, ASharpCliffIsFoundExactlyWithFewTrials) {
  const Seeded seen = search_often({.figures = Figures::good});
  EXPECT_GE(seen.near, 1000);
  EXPECT_LE(seen.mean_trials, 13.5);
  EXPECT_LE(seen.most_trials, 20);
}

TEST(CapacitySearch, WithoutFiguresItBisects) {
  const Seeded seen = search_often({.figures = Figures::none});
  EXPECT_GE(seen.near, 1000);
  EXPECT_LE(seen.mean_trials, 19);
  EXPECT_LE(seen.most_trials, 26);
}

TEST(CapacitySearch, FiguresThatMisleadCostTrialsButNotTheAnswer) {
  const Seeded seen = search_often({.figures = Figures::misleading});
  EXPECT_GE(seen.near, 1000);
  EXPECT_LE(seen.mean_trials, 26);
  EXPECT_LE(seen.most_trials, 36);
}

TEST(CapacitySearch, FiguresOfWhatFailedDecideWhereThoseOfWhatPassedAreOptimistic) {
  const Seeded seen = search_often({.figures = Figures::optimistic});
  EXPECT_GE(seen.near, 1000);
  EXPECT_LE(seen.mean_trials, 13);
  EXPECT_LE(seen.most_trials, 20);
  EXPECT_LE(search({.edge = 145.6, .figures = Figures::optimistic}).result.trials, 16);
}

TEST(CapacitySearch, ANoisyCliffIsFoundWithinOneStep) {
  const Seeded seen = search_often({.false_failures = 0.1, .figures = Figures::good});
  EXPECT_GE(seen.near, 950);
  EXPECT_LE(seen.mean_trials, 18);
  EXPECT_LE(seen.most_trials, 75);
}

TEST(CapacitySearch, ANoisyCliffWithoutFiguresIsFoundWithinOneStep) {
  const Seeded seen = search_often({.false_failures = 0.1, .figures = Figures::none});
  EXPECT_GE(seen.near, 950);
  EXPECT_LE(seen.mean_trials, 24);
  EXPECT_LE(seen.most_trials, 75);
}

TEST(CapacitySearch, AnAnswerOnASoftCliffPassesMoreOftenThanNot) {
  for (int seed = 1; seed <= 200; ++seed) {
    FakeMachine machine{.edge = 300, .width = 0.2, .figures = Figures::good};
    machine.random.seed(static_cast<std::uint64_t>(seed));
    const auto result = search(machine).result;
    ASSERT_TRUE(result.answer) << seed;
    EXPECT_GE(result.answer->value, 240) << seed;
    EXPECT_LE(result.answer->value, 320) << seed;
  }
}

TEST(CapacitySearch, WithNoCliffItSaysThatTheTopWasReached) {
  for (const auto figures : {Figures::none, Figures::good, Figures::misleading}) {
    const auto [result, values] = search({.edge = 1e9, .figures = figures}, 512);
    EXPECT_EQ(result.end, SearchEnd::top);
    ASSERT_TRUE(result.answer && result.comfortable);
    EXPECT_EQ(result.answer->value, 512);
    EXPECT_EQ(result.answer->passes, 5);
    EXPECT_EQ(result.comfortable->value, 512);
    EXPECT_FALSE(result.beyond);
    EXPECT_LE(result.trials, 10);
    EXPECT_EQ(result.trials, static_cast<int>(values.size()));
  }
}

TEST(CapacitySearch, WhatFailsAtOnceFailsDownToTheEasiestStep) {
  for (const auto figures : {Figures::none, Figures::good}) {
    const auto [result, values] = search({.edge = 0.5, .figures = figures});
    EXPECT_EQ(result.end, SearchEnd::bottom);
    EXPECT_FALSE(result.answer);
    EXPECT_FALSE(result.comfortable);
    ASSERT_TRUE(result.beyond);
    EXPECT_EQ(result.beyond->value, 1);
    EXPECT_EQ(result.beyond->failures, figures == Figures::good ? 2 : 3);
    EXPECT_LE(result.trials, 8);
  }
}

TEST(CapacitySearch, TheAnswerIsConfirmedAndTheStepBeyondItFailsTwice) {
  const auto [result, values] = search({.edge = 145.6, .figures = Figures::good});
  EXPECT_EQ(result.end, SearchEnd::edge);
  ASSERT_TRUE(result.answer && result.beyond && result.comfortable);
  EXPECT_EQ(result.answer->value, 144);
  EXPECT_EQ(result.answer->passes, 5);
  EXPECT_EQ(result.answer->failures, 0);
  EXPECT_EQ(result.beyond->value, 148);
  EXPECT_EQ(result.beyond->failures, 2);
  EXPECT_GE(result.comfortable->value, 120);
  EXPECT_LE(result.comfortable->value, 132);
  EXPECT_LE(result.trials, 14);
}

TEST(CapacitySearch, AFailureThatTheFiguresContradictIsTriedAgainAtOnce) {
  FakeMachine machine{.edge = 145.6, .figures = Figures::good};
  std::vector<std::int64_t> values;
  const SearchPlan plan{.ladder = track_ladder(4096), .start = 15};
  const auto result = search_capacity(plan, [&](std::int64_t value) {
    values.push_back(value);
    auto view = machine.run(value);
    if (values.size() == 1) view->outcome = TrialOutcome::fail;
    return view;
  });
  ASSERT_GE(values.size(), 3u);
  EXPECT_EQ(values[0], values[1]);
  ASSERT_TRUE(result.answer);
  EXPECT_EQ(result.answer->value, 144);
}

TEST(CapacitySearch, WhatCannotBeRunEndsItBelow) {
  FakeMachine machine{.edge = 1e6};
  const auto result = search_capacity({.ladder = track_ladder(4096), .start = 15}, [&](std::int64_t value) {
    if (value <= 100) return machine.run(value);
    return without_figures(TrialOutcome::impossible, "no memory");
  });
  EXPECT_EQ(result.end, SearchEnd::impossible);
  EXPECT_EQ(result.reason, "no memory");
  ASSERT_TRUE(result.answer && result.beyond);
  EXPECT_EQ(result.answer->value, 100);
  EXPECT_EQ(result.beyond->value, 102);
}

TEST(CapacitySearch, RunsThatProveNothingEndIt) {
  const auto result = search_capacity({.ladder = track_ladder(64), .start = 15}, [](std::int64_t) {
    return without_figures(TrialOutcome::no_verdict, "from the cache");
  });
  EXPECT_EQ(result.end, SearchEnd::no_verdict);
  EXPECT_EQ(result.trials, 3);
  EXPECT_EQ(result.reason, "from the cache");
  EXPECT_FALSE(result.answer);
}

TEST(CapacitySearch, OneRunThatProvesNothingIsRunAgain) {
  FakeMachine machine{.edge = 20};
  int runs = 0;
  const auto result = search_capacity({.ladder = track_ladder(64), .start = 15}, [&](std::int64_t value) {
    return ++runs == 2 ? without_figures(TrialOutcome::no_verdict, "busy") : machine.run(value);
  });
  ASSERT_TRUE(result.answer);
  EXPECT_EQ(result.answer->value, 20);
}

TEST(CapacitySearch, AnInterruptedSearchTellsWhatItKnew) {
  FakeMachine machine{.edge = 100};
  int left = 2;
  const auto result = search_capacity({.ladder = track_ladder(4096), .start = 15}, [&](std::int64_t value) {
    return left-- > 0 ? machine.run(value) : std::nullopt;
  });
  EXPECT_EQ(result.end, SearchEnd::interrupted);
  EXPECT_EQ(result.trials, 2);
  ASSERT_TRUE(result.answer);
  EXPECT_EQ(result.answer->value, 32);
}

TEST(CapacitySearch, ItGivesUpWhenItCannotDecide) {
  FakeMachine machine{.edge = 100, .false_failures = 0.5};
  const SearchPlan plan{.ladder = track_ladder(4096), .start = 15, .most_trials = 4};
  const auto result = search_capacity(plan, [&](std::int64_t value) { return machine.run(value); });
  EXPECT_EQ(result.end, SearchEnd::too_many);
  EXPECT_EQ(result.trials, 4);
}

TEST(CapacitySearch, AFallingLadderIsSearchedTheSameWay) {
  const auto ladder = ring_ladder(10'000'000'000, 10'000'000);
  for (const double edge : {9.1e9, 1.0e9, 0.33e9, 0.011e9}) {
    const auto at =
        static_cast<std::size_t>(std::find(ladder.begin(), ladder.end(), 5'000'000'000) - ladder.begin());
    const auto result = search_capacity({.ladder = ladder, .start = at}, [&](std::int64_t ring_ns) {
      TrialView view{.outcome =
                         static_cast<double>(ring_ns) >= edge ? TrialOutcome::pass : TrialOutcome::fail};
      view.edge = edge * 1.05;
      return view;
    });
    ASSERT_TRUE(result.answer && result.beyond) << edge;
    EXPECT_GE(static_cast<double>(result.answer->value), edge);
    EXPECT_LT(static_cast<double>(result.beyond->value), edge);
    EXPECT_LE(result.trials, 14) << edge;
  }
}

}  // namespace
}  // namespace xrunlab
