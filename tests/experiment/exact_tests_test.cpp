#include "xrunlab/experiment/exact_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace xrunlab {
namespace {

/// Every assignment of signs, one by one.
double signed_rank_by_hand(const std::vector<double>& ranks, std::size_t positive_mask) {
  const auto sum_of = [&ranks](std::size_t mask) {
    double sum = 0;
    for (std::size_t index = 0; index < ranks.size(); ++index) {
      sum += (mask >> index & 1) != 0 ? ranks[index] : -ranks[index];
    }
    return std::fabs(sum);
  };
  std::size_t as_far = 0;
  const std::size_t all = std::size_t{1} << ranks.size();
  for (std::size_t mask = 0; mask < all; ++mask) {
    if (sum_of(mask) >= sum_of(positive_mask) - 1e-9) ++as_far;
  }
  return static_cast<double>(as_far) / static_cast<double>(all);
}

/// Every arrangement, one by one.
double rank_sum_by_hand(const std::vector<double>& group, const std::vector<double>& baseline) {
  std::vector<double> all(group);
  all.insert(all.end(), baseline.begin(), baseline.end());
  std::vector<double> ranks;
  for (const double value : all) {
    const auto below = std::count_if(all.begin(), all.end(), [&](double other) { return other < value; });
    const auto equal = std::count(all.begin(), all.end(), value);
    ranks.push_back(static_cast<double>(below) + static_cast<double>(equal + 1) / 2);
  }
  double mean = 0;
  for (const double rank : ranks) mean += rank;
  mean = mean / static_cast<double>(all.size()) * static_cast<double>(group.size());
  double seen = 0;
  for (std::size_t index = 0; index < group.size(); ++index) seen += ranks[index];
  std::vector<int> picked(all.size(), 0);
  std::fill(picked.end() - static_cast<std::ptrdiff_t>(group.size()), picked.end(), 1);
  double as_far = 0;
  double count = 0;
  do {
    double sum = 0;
    for (std::size_t index = 0; index < all.size(); ++index) sum += picked[index] * ranks[index];
    if (std::fabs(sum - mean) >= std::fabs(seen - mean) - 1e-9) ++as_far;
    ++count;
  } while (std::next_permutation(picked.begin(), picked.end()));
  return as_far / count;
}

// Darwin's maize, as Fisher took it up: crossed less self-fertilised plants, in eighths of an inch.
TEST(ExactTests, SignedRanksGiveThePublishedFigure) {
  const std::vector<double> darwin{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
  EXPECT_NEAR(signed_rank_p(darwin), 0.04126, 0.00001);
}

TEST(ExactTests, SignedRanksAreThoseOfAllSigns) {
  EXPECT_DOUBLE_EQ(signed_rank_p({1, 2, 3, 4, 5, 6, 7}), 2.0 / 128);
  EXPECT_DOUBLE_EQ(signed_rank_p({1, 2, 3, -4, 5, 6, 7}),
                   signed_rank_by_hand({1, 2, 3, 4, 5, 6, 7}, 0b1110111));
  // Tied sizes have their mid-rank; a zero takes rank 1 and no sign.
  EXPECT_DOUBLE_EQ(signed_rank_p({0, 2, 2, -2, 3, 9}), signed_rank_by_hand({3, 3, 3, 5, 6}, 0b11011));
  EXPECT_DOUBLE_EQ(signed_rank_p({0, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(signed_rank_p({INFINITY, INFINITY, 1, 2, INFINITY, 3}), 2.0 / 64);
}

TEST(ExactTests, SignsFlippedGiveTheSame) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0.4, 1);
  for (int turn = 0; turn < 50; ++turn) {
    std::vector<double> values;
    std::vector<double> flipped;
    for (int index = 0; index < 9; ++index) {
      values.push_back(std::round(normal(random) * 3));
      flipped.push_back(-values.back());
    }
    EXPECT_DOUBLE_EQ(signed_rank_p(values), signed_rank_p(flipped));
  }
}

TEST(ExactTests, RankSumsAreThoseOfAllArrangements) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0, 1);
  for (int turn = 0; turn < 40; ++turn) {
    std::vector<double> group;
    std::vector<double> baseline;
    // Rounded, so that there are ties, also between the two.
    for (int index = 0; index < 3 + turn % 4; ++index) group.push_back(std::round(normal(random) * 2 + 1));
    for (int index = 0; index < 6; ++index) baseline.push_back(std::round(normal(random) * 2));
    EXPECT_NEAR(rank_sum_p(group, baseline), rank_sum_by_hand(group, baseline), 1e-12);
  }
}

TEST(ExactTests, RankSumsOfManyAreNearTheExactOnes) {
  std::vector<double> group;
  std::vector<double> baseline;
  for (int index = 0; index < 11; ++index) {
    group.push_back(index * 2 + 7);
    baseline.push_back(index * 2);
  }
  // Of all 705,432 arrangements 23,700 are as far from the middle.
  const double p = rank_sum_p(group, baseline);
  EXPECT_NEAR(p, 23'700.0 / 705'432, 0.002);
  EXPECT_DOUBLE_EQ(p, rank_sum_p(group, baseline)) << "the seed is fixed";
}

TEST(ExactTests, TheLeastPIsThatOfTheMostExtremeData) {
  EXPECT_DOUBLE_EQ(least_signed_rank_p(5), 2.0 / 32);
  EXPECT_DOUBLE_EQ(least_signed_rank_p(0), 1);
  EXPECT_DOUBLE_EQ(least_rank_sum_p(4, 4), rank_sum_p({1, 2, 3, 4}, {5, 6, 7, 8}));
  EXPECT_DOUBLE_EQ(least_rank_sum_p(1, 1), 1);
  EXPECT_LT(least_rank_sum_p(30, 30), 0.0001);
}

TEST(ExactTests, HolmMultipliesTheSmallestByAllAndKeepsTheOrder) {
  const auto adjusted = holm({0.03, 0.01, 0.04});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06) << "not below one that is smaller";
  EXPECT_DOUBLE_EQ(holm({0.9, 0.8})[0], 1);
}

TEST(ExactTests, ShiftsAreHodgesAndLehmanns) {
  // The means of pairs of 1, 2, 6: 1, 1.5, 2, 3.5, 4, 6.
  EXPECT_DOUBLE_EQ(signed_rank_shift({1, 2, 6}).estimate, 2.75);
  EXPECT_FALSE(signed_rank_shift({1, 2, 6}).low);
  EXPECT_DOUBLE_EQ(rank_sum_shift({5, 9}, {1, 2, 4}).estimate, 4.5);
}

// The table of Hollander and Wolfe: with 10 differences the 9th of the 55 means from each end, with 7 the
// 3rd; with 7 against 7 the 9th of 49 differences, with 10 against 10 the 24th of 100.
TEST(ExactTests, IntervalsAreThoseOfTheTest) {
  std::vector<double> powers;
  for (int index = 0; index < 10; ++index) powers.push_back(std::ldexp(1.0, 2 * index));
  std::vector<double> means;
  for (std::size_t first = 0; first < 10; ++first) {
    for (std::size_t second = first; second < 10; ++second)
      means.push_back((powers[first] + powers[second]) / 2);
  }
  std::sort(means.begin(), means.end());
  EXPECT_DOUBLE_EQ(*signed_rank_shift(powers).low, means[8]);
  EXPECT_DOUBLE_EQ(*signed_rank_shift(powers).high, means[46]);

  const std::vector<double> group(powers.begin(), powers.begin() + 7);
  std::vector<double> differences;
  for (const double left : group) {
    for (int right = 0; right < 7; ++right) differences.push_back(left - right * 0.1);
  }
  std::sort(differences.begin(), differences.end());
  EXPECT_DOUBLE_EQ(*rank_sum_shift(group, {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}).low, differences[8]);
  EXPECT_DOUBLE_EQ(*rank_sum_shift(group, {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}).high, differences[40]);
}

// An interval of 95 % misses the truth in at most 5 %.
TEST(ExactTests, IntervalsHoldTheTruth) {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> noise(0, 0.5);
  int paired_misses = 0;
  int unpaired_misses = 0;
  constexpr int kTurns = 1000;
  for (int turn = 0; turn < kTurns; ++turn) {
    std::vector<double> group;
    std::vector<double> baseline;
    std::vector<double> differences;
    for (int index = 0; index < 8; ++index) {
      baseline.push_back(std::log(noise(random)));
      group.push_back(std::log(noise(random)) + 0.3);
      differences.push_back(group.back() - baseline.back());
    }
    const auto paired = signed_rank_shift(differences);
    const auto unpaired = rank_sum_shift(group, baseline);
    if (*paired.low > 0.3 || *paired.high < 0.3) ++paired_misses;
    if (*unpaired.low > 0.3 || *unpaired.high < 0.3) ++unpaired_misses;
  }
  EXPECT_LE(paired_misses, 72);
  EXPECT_LE(unpaired_misses, 72);
  EXPECT_GE(paired_misses, 20) << "an interval that never misses says nothing";
  EXPECT_GE(unpaired_misses, 20);
}

TEST(ExactTests, MediansOfInfiniteValuesAreNoNonsense) {
  EXPECT_DOUBLE_EQ(middle_value({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(middle_value({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(middle_value({-INFINITY, -INFINITY}), -INFINITY);
  EXPECT_EQ(middle_value({-INFINITY, INFINITY}), 0);
  EXPECT_EQ(rank_sum_shift({-INFINITY}, {-INFINITY}).estimate, 0);
}

}  // namespace
}  // namespace xrunlab
