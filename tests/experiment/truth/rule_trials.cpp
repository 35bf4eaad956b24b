#include "tests/experiment/truth/rule_trials.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "xrunlab/experiment/comparison_rule.hpp"

namespace xrunlab::test {
namespace {

using Values = std::vector<double>;  // of one group
using Trial = std::vector<Values>;

constexpr double kPower = 0.8;
constexpr std::uint64_t kSeedsOfPower = 1'000'000;

/// The last group's figures are larger by exp(shift).
Trial draw(const RuleCell& cell, double shift, std::uint64_t seed) {
  std::mt19937_64 random(((seed * 10 + static_cast<std::uint64_t>(cell.noise)) * 10 + cell.groups) * 100 +
                         cell.runs);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  Values drift(cell.runs);
  for (double& value : drift) value = 0.7 * normal(random);
  Trial trial(cell.groups, Values(cell.runs));
  for (std::size_t group = 0; group < cell.groups; ++group) {
    const double factor = group + 1 == cell.groups ? std::exp(shift) : 1;
    for (std::size_t run = 0; run < cell.runs; ++run) {
      double& value = trial[group][run];
      switch (cell.noise) {
        case Noise::lognormal:
          value = factor * std::exp(0.5 * normal(random));
          break;
        case Noise::pareto:
          value = factor * std::pow(1 - uniform(random), -1 / 1.2);
          break;
        case Noise::poisson:
          value = std::poisson_distribution<int>(0.3 * factor)(random);
          break;
        case Noise::drift:
          value = factor * std::exp(drift[run] + 0.15 * normal(random));
          break;
      }
    }
  }
  return trial;
}

// What follows is written without the rule's code, and in another way, so that a fault of one is no fault of
// the other.

double log_ratio(double group, double baseline) {
  if (group == baseline) return 0;
  return std::log(group) - std::log(baseline);
}

/// Mid-ranks by counting.
Values ranks_of(const Values& values) {
  Values ranks;
  for (const double value : values) {
    double rank = 0.5;
    for (const double other : values) {
      // Not by == alone: the logarithms of 2/1 and 4/2 differ by rounding.
      const bool same = other == value || std::fabs(other - value) < 1e-9;
      rank += same ? 0.5 : (other < value ? 1 : 0);
    }
    ranks.push_back(rank);
  }
  return ranks;
}

/// Every assignment of signs to `ranks`, one by one; of each set of ranks once.
double p_of_sign_sum(const Values& ranks, double seen) {
  static std::map<std::pair<Values, double>, double> known;
  const auto [entry, is_new] = known.try_emplace({ranks, std::fabs(seen)}, 0);
  if (!is_new) return entry->second;
  const std::size_t all = std::size_t{1} << ranks.size();
  std::size_t as_far = 0;
  for (std::size_t mask = 0; mask < all; ++mask) {
    double sum = 0;
    for (std::size_t index = 0; index < ranks.size(); ++index)
      sum += (mask >> index & 1) != 0 ? ranks[index] : -ranks[index];
    if (std::fabs(sum) >= std::fabs(seen) - 1e-9) ++as_far;
  }
  entry->second = static_cast<double>(as_far) / static_cast<double>(all);
  return entry->second;
}

double p_of_signs(const Values& differences) {
  Values sizes;
  for (const double difference : differences) sizes.push_back(std::fabs(difference));
  const Values ranks = ranks_of(sizes);
  Values signed_ranks;
  double seen = 0;
  for (std::size_t index = 0; index < ranks.size(); ++index) {
    if (differences[index] == 0) continue;
    signed_ranks.push_back(ranks[index]);
    seen += differences[index] > 0 ? ranks[index] : -ranks[index];
  }
  std::sort(signed_ranks.begin(), signed_ranks.end());
  return p_of_sign_sum(signed_ranks, seen);
}

double choose(std::size_t from, std::size_t count) {
  double ways = 1;
  for (std::size_t index = 0; index < count; ++index)
    ways = ways * static_cast<double>(from - index) / static_cast<double>(index + 1);
  return ways;
}

/// Equal values are like balls of one colour: how many of each colour a group may hold, with what weight.
struct Colours {
  std::vector<std::pair<double, std::size_t>> rank_and_count;
  double middle = 0;
  double distance = 0;
  double as_far = 0;

  void draw_from(std::size_t colour, std::size_t left, double sum, double ways) {
    if (colour == rank_and_count.size()) {
      if (left == 0 && std::fabs(sum - middle) >= distance - 1e-9) as_far += ways;
      return;
    }
    const auto& [rank, count] = rank_and_count[colour];
    for (std::size_t taken = 0; taken <= std::min(count, left); ++taken)
      draw_from(colour + 1, left - taken, sum + rank * static_cast<double>(taken),
                ways * choose(count, taken));
  }
};

double p_of_colours(const Values& ranks, std::size_t picked) {
  std::map<double, std::size_t> counts;
  for (const double rank : ranks) ++counts[rank];
  Colours colours;
  colours.rank_and_count.assign(counts.begin(), counts.end());
  colours.middle = static_cast<double>(picked * (ranks.size() + 1)) / 2;
  colours.distance = std::fabs(
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<long>(picked), 0.0) - colours.middle);
  colours.draw_from(0, picked, 0, 1);
  return colours.as_far / choose(ranks.size(), picked);
}

/// Without ties p depends on the rank sum alone, so each is counted once.
double p_of_ranks(const Values& group, const Values& baseline) {
  Values all(group);
  all.insert(all.end(), baseline.begin(), baseline.end());
  const Values ranks = ranks_of(all);
  const bool tied = std::any_of(ranks.begin(), ranks.end(), [&ranks](double rank) {
    return std::count(ranks.begin(), ranks.end(), rank) > 1;
  });
  if (tied) return p_of_colours(ranks, group.size());
  static std::map<std::pair<std::size_t, double>, double> known;
  const double sum = std::accumulate(ranks.begin(), ranks.begin() + static_cast<long>(group.size()), 0.0);
  const auto [entry, is_new] = known.try_emplace({group.size(), sum}, 0);
  if (is_new) entry->second = p_of_colours(ranks, group.size());
  return entry->second;
}

double middle_of(Values values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  const double upper = values[values.size() / 2];
  if (values.size() % 2 == 1) return upper;
  const double lower =
      *std::max_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2));
  return lower == upper ? upper : (lower + upper) / 2;
}

struct TestResult {
  double p = 1;
  double effect = 0;
};

TestResult tested(const RuleCell& cell, const Values& group, const Values& baseline) {
  Values shifts;
  if (cell.pairing == Pairing::unrelated) {
    for (const double left : group) {
      for (const double right : baseline) shifts.push_back(log_ratio(left, right));
    }
    return {p_of_ranks(group, baseline), middle_of(std::move(shifts))};
  }
  Values differences;
  for (std::size_t run = 0; run < group.size(); ++run)
    differences.push_back(log_ratio(group[run], baseline[run]));
  for (std::size_t first = 0; first < differences.size(); ++first) {
    for (std::size_t second = first; second < differences.size(); ++second) {
      const double mean = (differences[first] + differences[second]) / 2;
      shifts.push_back(std::isnan(mean) ? 0 : mean);
    }
  }
  return {p_of_signs(differences), middle_of(std::move(shifts))};
}

/// Whether the last group is called worse: Holm steps down from the smallest p.
bool is_seen(const RuleCell& cell, const Trial& trial) {
  const TestResult last = tested(cell, trial.back(), trial.front());
  if (last.effect < std::log(1.05)) return false;
  Values others;
  for (std::size_t group = 1; group + 1 < trial.size(); ++group)
    others.push_back(tested(cell, trial[group], trial.front()).p);
  std::sort(others.begin(), others.end());
  auto left = static_cast<double>(trial.size() - 1);
  for (const double p : others) {
    if (p >= last.p) break;
    if (p * left > 0.05) return false;
    --left;
  }
  return last.p * left <= 0.05;
}

double power_at(const RuleCell& cell, double shift, int trials) {
  int seen = 0;
  for (int trial = 0; trial < trials; ++trial)
    seen += is_seen(cell, draw(cell, shift, kSeedsOfPower + static_cast<std::uint64_t>(trial))) ? 1 : 0;
  return static_cast<double>(seen) / trials;
}

// Back to the rule itself.

std::vector<RuleGroup> as_runs(const RuleCell& cell, const Trial& trial) {
  std::vector<RuleGroup> groups;
  for (const auto& values : trial) {
    RuleGroup group;
    std::int64_t block = 0;
    for (const double value : values) {
      group.values.push_back({.logarithm = std::log(value),
                              .series = cell.pairing == Pairing::blocks ? "sweep" : "",
                              .block = block++,
                              .combination = {},
                              .boot = {}});
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

std::string to_string(const RuleCell& cell) {
  static const std::map<Noise, std::string> names{{Noise::lognormal, "lognormal 0.5"},
                                                  {Noise::pareto, "Pareto 1.2"},
                                                  {Noise::poisson, "Poisson 0.3"},
                                                  {Noise::drift, "drift 0.7, 0.15"}};
  return names.at(cell.noise) + (cell.pairing == Pairing::blocks ? ", blocks, " : ", unrelated, ") +
         std::to_string(cell.groups) + "x" + std::to_string(cell.runs);
}

std::vector<RuleCell> all_rule_cells() {
  std::vector<RuleCell> cells;
  for (const auto noise : {Noise::lognormal, Noise::pareto, Noise::poisson, Noise::drift}) {
    for (const auto pairing : {Pairing::unrelated, Pairing::blocks}) {
      if (noise == Noise::drift && pairing == Pairing::unrelated) continue;
      cells.push_back({noise, pairing, 2, 7});
      cells.push_back({noise, pairing, 2, 10});
      cells.push_back({noise, pairing, 4, 10});
    }
  }
  return cells;
}

double shift_of_power(const RuleCell& cell, double effort) {
  double low = 0;
  double high = 8;
  constexpr int kSteps = 16;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = (low + high) / 2;
    const int trials = static_cast<int>(effort * (step < 7 ? 1000 : 20'000));
    (power_at(cell, middle, trials) < kPower ? low : high) = middle;
  }
  return high;
}

RuleCounts try_rule(const RuleCell& cell, double shift, int trials) {
  RuleCounts counts;
  for (int seed = 1; seed <= trials; ++seed) {
    const auto groups = as_runs(cell, draw(cell, shift, static_cast<std::uint64_t>(seed)));
    const auto judgements = judge_groups(groups, 0, {.metric = "simulated"});
    const auto called = [](const Judgement& judgement) {
      return judgement.finding == Finding::better || judgement.finding == Finding::worse;
    };
    counts.any_called += std::any_of(judgements.begin(), judgements.end(), called) ? 1 : 0;
    counts.worse += judgements.back().finding == Finding::worse ? 1 : 0;
    counts.better += judgements.back().finding == Finding::better ? 1 : 0;
  }
  return counts;
}

}  // namespace xrunlab::test
