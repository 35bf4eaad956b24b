#include "xrunlab/experiment/exact_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

namespace xrunlab {
namespace {

constexpr double kMostArrangements = 200'000;
constexpr int kRandomArrangements = 100'000;
constexpr std::uint64_t kArrangementSeed = 20'001'116;

/// Twice the mid-ranks, so that they are whole numbers. Values that differ by rounding only are tied.
std::vector<std::int64_t> doubled_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&values](std::size_t left, std::size_t right) { return values[left] < values[right]; });
  const auto tied = [](double low, double high) {
    return low == high || (std::isfinite(low) && high - low <= 1e-12 * std::max(1.0, std::fabs(low)));
  };
  std::vector<std::int64_t> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && tied(values[order[first]], values[order[last + 1]])) ++last;
    for (std::size_t index = first; index <= last; ++index)
      ranks[order[index]] = static_cast<std::int64_t>(first + last + 2);
    first = last + 1;
  }
  return ranks;
}

double arrangement_count(std::size_t group, std::size_t all) {
  double count = 1;
  for (std::size_t index = 1; index <= group; ++index) {
    count = count * static_cast<double>(all - group + index) / static_cast<double>(index);
  }
  return std::round(count);
}

/// Of all ways to pick `picked` of the ranks, how many have which sum.
std::vector<double> sums_of_picks(const std::vector<std::int64_t>& ranks, std::size_t picked) {
  const auto most = static_cast<std::size_t>(std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0}));
  std::vector<std::vector<double>> ways(picked + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (std::size_t seen = 0; seen < ranks.size(); ++seen) {
    const auto rank = static_cast<std::size_t>(ranks[seen]);
    for (std::size_t count = std::min(picked, seen + 1); count > 0; --count) {
      for (std::size_t sum = rank; sum <= most; ++sum) ways[count][sum] += ways[count - 1][sum - rank];
    }
  }
  return ways[picked];
}

double random_rank_sum_p(std::vector<std::int64_t> ranks, std::size_t picked, std::int64_t distance) {
  const std::int64_t all = std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0});
  const auto total = static_cast<std::int64_t>(ranks.size());
  std::mt19937_64 random(kArrangementSeed);
  int as_far = 1;  // what was seen is one of the arrangements
  for (int turn = 0; turn < kRandomArrangements; ++turn) {
    std::int64_t sum = 0;
    for (std::size_t index = 0; index < picked; ++index) {
      std::uniform_int_distribution<std::size_t> pick(index, ranks.size() - 1);
      std::swap(ranks[index], ranks[pick(random)]);
      sum += ranks[index];
    }
    if (std::abs(sum * total - all * static_cast<std::int64_t>(picked)) >= distance) ++as_far;
  }
  return static_cast<double>(as_far) / (kRandomArrangements + 1);
}

/// How often each sum of signed ranks 1 … n comes up, as shares: the null distribution without ties.
std::vector<double> signed_rank_shares(const std::vector<std::int64_t>& ranks) {
  const auto most = static_cast<std::size_t>(std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0}));
  std::vector<double> shares(most + 1, 0.0);
  shares[0] = 1;
  std::size_t reached = 0;
  for (const auto rank : ranks) {
    const auto step = static_cast<std::size_t>(rank);
    reached += step;
    for (std::size_t sum = reached + 1; sum-- > 0;) {
      shares[sum] = (shares[sum] + (sum >= step ? shares[sum - step] : 0)) / 2;
    }
  }
  return shares;
}

/// The largest k with P(statistic < k) ≤ 2.5 %; 0: none, so there is no interval.
std::size_t lower_cut(const std::vector<double>& shares) {
  constexpr double kTail = 0.025 + 1e-12;
  double below = 0;
  std::size_t cut = 0;
  while (cut < shares.size() && below + shares[cut] <= kTail) below += shares[cut++];
  return cut;
}

Shift shift_between_cuts(std::vector<double> differences, std::size_t cut) {
  std::sort(differences.begin(), differences.end());
  Shift shift{.estimate = middle_value(differences), .low = {}, .high = {}};
  if (cut == 0 || cut > differences.size()) return shift;
  shift.low = differences[cut - 1];
  shift.high = differences[differences.size() - cut];
  return shift;
}

/// ∞ − ∞ says nothing of either side.
double known_difference(double difference) {
  return std::isnan(difference) ? 0 : difference;
}

}  // namespace

double middle_value(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  if (values.size() % 2 == 1) return values[half];
  return values[half - 1] == values[half] ? values[half]
                                          : known_difference((values[half - 1] + values[half]) / 2);
}

double signed_rank_p(const std::vector<double>& differences) {
  std::vector<double> sizes;
  for (const double difference : differences) sizes.push_back(std::fabs(difference));
  const auto ranks = doubled_ranks(sizes);
  std::vector<std::int64_t> signed_ranks;
  std::int64_t positive = 0;
  for (std::size_t index = 0; index < differences.size(); ++index) {
    if (sizes[index] <= 1e-12) continue;
    signed_ranks.push_back(ranks[index]);
    if (differences[index] > 0) positive += ranks[index];
  }
  if (signed_ranks.empty()) return 1;
  const std::int64_t all = std::accumulate(signed_ranks.begin(), signed_ranks.end(), std::int64_t{0});
  const std::int64_t distance = std::abs(2 * positive - all);
  const auto shares = signed_rank_shares(signed_ranks);
  double p = 0;
  for (std::size_t sum = 0; sum < shares.size(); ++sum) {
    if (std::abs(2 * static_cast<std::int64_t>(sum) - all) >= distance) p += shares[sum];
  }
  return std::min(1.0, p);
}

double rank_sum_p(const std::vector<double>& group, const std::vector<double>& baseline) {
  std::vector<double> values(group);
  values.insert(values.end(), baseline.begin(), baseline.end());
  const auto ranks = doubled_ranks(values);
  const auto picked = static_cast<std::int64_t>(group.size());
  const auto total = static_cast<std::int64_t>(values.size());
  const std::int64_t all = std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0});
  const std::int64_t seen = std::accumulate(ranks.begin(), ranks.begin() + picked, std::int64_t{0});
  const std::int64_t distance = std::abs(seen * total - all * picked);
  const double count = arrangement_count(group.size(), values.size());
  if (count > kMostArrangements) return random_rank_sum_p(ranks, group.size(), distance);
  const auto ways = sums_of_picks(ranks, group.size());
  double as_far = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    if (std::abs(static_cast<std::int64_t>(sum) * total - all * picked) >= distance) as_far += ways[sum];
  }
  return std::min(1.0, as_far / count);
}

double least_signed_rank_p(std::size_t blocks) {
  return std::min(1.0, std::ldexp(2.0, -static_cast<int>(std::min<std::size_t>(blocks, 1000))));
}

double least_rank_sum_p(std::size_t group, std::size_t baseline) {
  const double count = arrangement_count(group, group + baseline);
  return std::min(1.0, count > kMostArrangements ? 1.0 / (kRandomArrangements + 1) : 2 / count);
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t left, std::size_t right) { return p_values[left] < p_values[right]; });
  std::vector<double> adjusted(p_values.size());
  double least = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto left = static_cast<double>(order.size() - place);
    least = std::max(least, std::min(1.0, left * p_values[order[place]]));
    adjusted[order[place]] = least;
  }
  return adjusted;
}

Shift signed_rank_shift(const std::vector<double>& differences) {
  std::vector<double> means;
  for (std::size_t first = 0; first < differences.size(); ++first) {
    for (std::size_t second = first; second < differences.size(); ++second) {
      means.push_back(known_difference((differences[first] + differences[second]) / 2));
    }
  }
  std::vector<std::int64_t> ranks(differences.size());
  std::iota(ranks.begin(), ranks.end(), std::int64_t{1});
  return shift_between_cuts(std::move(means), lower_cut(signed_rank_shares(ranks)));
}

Shift rank_sum_shift(const std::vector<double>& group, const std::vector<double>& baseline) {
  std::vector<double> differences;
  for (const double left : group) {
    for (const double right : baseline) differences.push_back(known_difference(left - right));
  }
  const auto m = static_cast<double>(group.size());
  const auto n = static_cast<double>(baseline.size());
  if (arrangement_count(group.size(), group.size() + baseline.size()) > kMostArrangements) {
    // The normal approximation is good to one place in the order here.
    const double cut = m * n / 2 - 1.959964 * std::sqrt(m * n * (m + n + 1) / 12);
    return shift_between_cuts(std::move(differences), static_cast<std::size_t>(std::max(0.0, cut)));
  }
  std::vector<std::int64_t> ranks(group.size() + baseline.size());
  std::iota(ranks.begin(), ranks.end(), std::int64_t{1});
  auto ways = sums_of_picks(ranks, group.size());
  const auto least = static_cast<std::ptrdiff_t>(group.size() * (group.size() + 1) / 2);
  ways.erase(ways.begin(), ways.begin() + least);
  const double count = arrangement_count(group.size(), ranks.size());
  for (double& way : ways) way /= count;
  return shift_between_cuts(std::move(differences), lower_cut(ways));
}

}  // namespace xrunlab
