// Exact tests of whether two settings differ, and how far: two-sided p-values that hold for any distribution,
// and the Hodges–Lehmann ratio with the interval of the same test. Pure functions on logarithms of a figure;
// used by the rule of `compare`. An infinite logarithm (a figure of 0) is a value like any other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace xrunlab {

/// Wilcoxon's signed-rank test of differences against 0, ties by mid-ranks, zeros ranked and then left out
/// (Pratt 1959). Exact: every assignment of signs counts. 1 when all differences are 0.
double signed_rank_p(const std::vector<double>& differences);

/// The rank-sum test by permutation of mid-ranks: exact while there are at most 200,000 arrangements, else
/// over 100,000 random ones of a fixed seed. Neither may be empty.
double rank_sum_p(const std::vector<double>& group, const std::vector<double>& baseline);

/// The least p that so many values can give, whatever they are: 2 ÷ 2^n, 2 ÷ C(n + m, n), at most 1.
double least_signed_rank_p(std::size_t blocks);
double least_rank_sum_p(std::size_t group, std::size_t baseline);

/// Holm's adjustment for several tests at once (Holm 1979): the adjusted p-values, in the order given.
std::vector<double> holm(const std::vector<double>& p_values);

/// A shift of logarithms: exp of it is a ratio.
struct Shift {
  double estimate = 0;
  std::optional<double> low;  ///< of the 95 % interval; absent: so few values have none
  std::optional<double> high;
};

/// Median of the means of all pairs of differences, with the interval of the signed-rank test. Not empty.
Shift signed_rank_shift(const std::vector<double>& differences);

/// Median of the differences of all pairs, with the interval of the rank-sum test. Neither may be empty.
Shift rank_sum_shift(const std::vector<double>& group, const std::vector<double>& baseline);

/// The middle value; of an even number the mean of the middle two. Not empty.
double middle_value(std::vector<double> values);

}  // namespace xrunlab
