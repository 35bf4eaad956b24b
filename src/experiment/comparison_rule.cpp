#include "xrunlab/experiment/comparison_rule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/experiment/exact_tests.hpp"

namespace xrunlab {
namespace {

constexpr double kSignificant = 0.05;
constexpr const char* kSignedRank = "signed-rank";
constexpr std::size_t kLeastBoots = 4;
constexpr std::size_t kMostNeeded = 1000;
constexpr std::size_t kMostConfounders = 6;  // that are named; the table below has them all

enum class RuleTest { signed_rank, rank_sum };

/// What is compared: differences of blocks, or the values of two sides.
struct RuleSample {
  RuleTest test = RuleTest::rank_sum;
  std::vector<double> differences;
  std::vector<double> group;
  std::vector<double> baseline;
  const char* unit = "run";
  std::size_t least() const {
    return test == RuleTest::signed_rank ? differences.size() : std::min(group.size(), baseline.size());
  }
};

using BlockKey = std::pair<std::string, std::int64_t>;
using CombinationValues = std::map<std::string, std::vector<double>>;

std::map<BlockKey, CombinationValues> blocks_of(const RuleGroup& group) {
  std::map<BlockKey, CombinationValues> blocks;
  for (const auto& value : group.values)
    blocks[{value.series, value.block}][value.combination].push_back(value.logarithm);
  return blocks;
}

std::set<std::string> series_of(const RuleGroup& group) {
  std::set<std::string> series;
  for (const auto& value : group.values) series.insert(value.series);
  return series;
}

/// Drift of the machine hits all runs of a block alike, so it cancels out in the difference of one block.
RuleSample paired_sample(const RuleGroup& group, const RuleGroup& baseline) {
  RuleSample sample{.test = RuleTest::signed_rank, .differences = {}, .group = {}, .baseline = {}};
  const auto others = blocks_of(baseline);
  for (const auto& [key, combinations] : blocks_of(group)) {
    const auto other = others.find(key);
    if (other == others.end()) continue;
    std::vector<double> differences;
    for (const auto& [combination, values] : combinations) {
      const auto match = other->second.find(combination);
      if (match == other->second.end()) continue;
      const double difference = middle_value(values) - middle_value(match->second);
      differences.push_back(std::isnan(difference) ? 0 : difference);
    }
    if (differences.empty()) continue;
    if (differences.size() > 1) sample.unit = "block";
    double sum = 0;
    for (const double difference : differences) sum += difference;
    sample.differences.push_back(std::isnan(sum) ? 0 : sum / static_cast<double>(differences.size()));
  }
  return sample;
}

std::vector<double> boot_values(const RuleGroup& group) {
  std::map<std::string, std::vector<double>> boots;
  for (const auto& value : group.values) boots[value.boot].push_back(value.logarithm);
  std::vector<double> values;
  for (auto& [boot, of_boot] : boots) values.push_back(middle_value(std::move(of_boot)));
  return values;
}

std::vector<double> run_values(const RuleGroup& group) {
  std::vector<double> values;
  for (const auto& value : group.values) values.push_back(value.logarithm);
  return values;
}

RuleSample sample_of(const RuleGroup& group, const RuleGroup& baseline) {
  if (group.differs_by_boot) {
    return {.test = RuleTest::rank_sum,
            .differences = {},
            .group = boot_values(group),
            .baseline = boot_values(baseline),
            .unit = "boot"};
  }
  const auto series = series_of(group);
  if (!series.contains("") && series == series_of(baseline)) {
    RuleSample sample = paired_sample(group, baseline);
    const auto blocks = std::min(blocks_of(group).size(), blocks_of(baseline).size());
    // Blocks that were spread over machines, one group here and the other there, pair nothing.
    if (2 * sample.differences.size() >= blocks) return sample;
  }
  return {.test = RuleTest::rank_sum,
          .differences = {},
          .group = run_values(group),
          .baseline = run_values(baseline)};
}

double least_p(RuleTest test, std::size_t group, std::size_t baseline) {
  return test == RuleTest::signed_rank ? least_signed_rank_p(group) : least_rank_sum_p(group, baseline);
}

/// How many each side needs, so that some result could be significant among `comparisons`.
std::size_t needed(RuleTest test, double comparisons) {
  std::size_t each = 1;
  while (each < kMostNeeded && comparisons * least_p(test, each, each) > kSignificant) ++each;
  return each;
}

std::string sizes_text(const RuleSample& sample) {
  const std::string unit = sample.unit;
  if (sample.test == RuleTest::signed_rank) {
    const auto count = static_cast<std::int64_t>(sample.differences.size());
    return counted(count, unit) + (unit == "run" ? " each" : "");
  }
  if (sample.group.size() == sample.baseline.size())
    return counted(static_cast<std::int64_t>(sample.group.size()), unit) + " each";
  return std::to_string(sample.group.size()) + " and " +
         counted(static_cast<std::int64_t>(sample.baseline.size()), unit);
}

std::string interval_text(const Judgement& judgement) {
  if (!judgement.low) return three_digits(*judgement.ratio);
  return three_digits(*judgement.low) + " … " + three_digits(*judgement.high);
}

std::string p_text(double p) {
  return p < 0.001 ? "p < 0.001" : "p = " + three_digits(p);
}

/// Every figure of the comparison that needs no other group.
void take_figures(const RuleSample& sample, double comparisons, Judgement& judgement) {
  const bool paired = sample.test == RuleTest::signed_rank;
  const Shift shift =
      paired ? signed_rank_shift(sample.differences) : rank_sum_shift(sample.group, sample.baseline);
  judgement.test = paired ? kSignedRank : "rank-sum";
  judgement.ratio = std::exp(shift.estimate);
  if (shift.low) judgement.low = std::exp(*shift.low);
  if (shift.high) judgement.high = std::exp(*shift.high);
  judgement.p = paired ? signed_rank_p(sample.differences) : rank_sum_p(sample.group, sample.baseline);
  judgement.has = static_cast<std::int64_t>(sample.least());
  judgement.needs = static_cast<std::int64_t>(needed(sample.test, comparisons));
}

bool is_too_few(const RuleSample& sample, double comparisons) {
  const bool paired = sample.test == RuleTest::signed_rank;
  const auto least = paired ? least_signed_rank_p(sample.differences.size())
                            : least_rank_sum_p(sample.group.size(), sample.baseline.size());
  return comparisons * least > kSignificant;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t index = 0; index < words.size(); ++index) {
    if (index == kMostConfounders) return text + " and " + std::to_string(words.size() - index) + " more";
    text += (text.empty() ? "" : ", ") + words[index];
  }
  return text;
}

std::string boots_text(const RuleSample& sample) {
  if (sample.group.size() == 1 && sample.baseline.size() == 1)
    return "one boot each: not separable from boot to boot";
  return sizes_text(sample) + ": not separable from boot to boot, needs " + std::to_string(kLeastBoots) +
         " boots each";
}

/// What keeps a comparison from having any result; its text is empty when there may be one.
void take_obstacle(const RuleGroup& group, const RuleSample& sample, double comparisons,
                   Judgement& judgement) {
  const bool by_boot = group.differs_by_boot;
  if (!group.confounders.empty()) {
    judgement.finding = Finding::confounded;
    judgement.text = "confounded by " + joined(group.confounders);
  } else if (by_boot && sample.least() < kLeastBoots) {
    judgement.finding = Finding::one_boot;
    judgement.text = boots_text(sample);
  } else if (is_too_few(sample, comparisons)) {
    judgement.finding = Finding::too_few;
    judgement.text =
        "needs " + counted(judgement.needs, sample.unit) + " each, has " + std::to_string(judgement.has);
  }
}

bool any_exploratory(const RuleGroup& group) {
  return std::any_of(group.values.begin(), group.values.end(),
                     [](const RunValue& value) { return value.exploratory; });
}

void decide(const RuleSample& sample, const RuleRequest& request, Judgement& judgement) {
  const double effect = std::fabs(std::log(*judgement.ratio));
  const bool shown = *judgement.adjusted_p <= kSignificant && effect >= std::log1p(request.min_effect);
  if (!shown) {
    judgement.finding = Finding::no_difference;
    judgement.text =
        "no difference shown (ratio " + interval_text(judgement) + ", 95 %, " + sizes_text(sample) + ")";
    return;
  }
  const bool lower = *judgement.ratio < 1;
  judgement.finding = lower == (request.better == Better::lower) ? Finding::better : Finding::worse;
  judgement.text = std::string(judgement.finding == Finding::better ? "better" : "worse") + ": ratio " +
                   three_digits(*judgement.ratio) + " (" + interval_text(judgement) + ", 95 %), " +
                   p_text(*judgement.adjusted_p) + ", " + sizes_text(sample);
}

/// One that is compared within blocks needs another number than one that is not; beside one another that
/// wants a reason.
void explain_needs(std::vector<Judgement>& judgements) {
  std::set<std::int64_t> needs;
  for (const auto& judgement : judgements) {
    if (judgement.finding == Finding::too_few) needs.insert(judgement.needs);
  }
  if (needs.size() < 2) return;
  for (auto& judgement : judgements) {
    if (judgement.finding != Finding::too_few) continue;
    judgement.text +=
        judgement.test == kSignedRank ? " (compared within blocks)" : " (its blocks do not match)";
  }
}

}  // namespace

std::vector<Judgement> judge_groups(const std::vector<RuleGroup>& groups, std::size_t baseline,
                                    const RuleRequest& request) {
  const auto comparisons = static_cast<double>(groups.size()) - 1;
  std::vector<Judgement> judgements(groups.size());
  std::vector<RuleSample> samples(groups.size());
  std::vector<double> p_values;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    auto& judgement = judgements[index];
    if (index == baseline) {
      judgement.text = "baseline";
      continue;
    }
    if (groups[index].values.empty() || groups[baseline].values.empty()) {
      judgement.finding = Finding::nothing_to_see;
      judgement.text = (groups[index].values.empty() ? "no figures of " : "the baseline has no figures of ") +
                       request.metric;
    } else {
      samples[index] = sample_of(groups[index], groups[baseline]);
      take_figures(samples[index], comparisons, judgement);
      take_obstacle(groups[index], samples[index], comparisons, judgement);
    }
    // One that can have no result still counts among those that were looked at.
    p_values.push_back(judgement.text.empty() ? *judgement.p : 1);
  }
  const auto adjusted = holm(p_values);
  for (std::size_t index = 0, place = 0; index < groups.size(); ++index) {
    auto& judgement = judgements[index];
    if (index == baseline) continue;
    const double adjusted_p = adjusted[place++];
    if (!judgement.text.empty()) continue;
    judgement.adjusted_p = adjusted_p;
    decide(samples[index], request, judgement);
    if (any_exploratory(groups[index]) || any_exploratory(groups[baseline]))
      judgement.text += "; exploratory, with runs beyond the planned number";
  }
  explain_needs(judgements);
  return judgements;
}

}  // namespace xrunlab
