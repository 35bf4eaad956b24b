#include "xrunlab/experiment/compare_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/experiment/exact_tests.hpp"
#include "xrunlab/experiment/intervals.hpp"
#include "xrunlab/experiment/run_keys.hpp"

namespace xrunlab {
namespace {

using RunPointers = std::vector<const RunSummary*>;
using Counts = std::map<std::string, std::int64_t>;

// Shares of a value among the runs of two groups that differ by more are no balance.
constexpr double kBalanced = 0.25;
constexpr double kLikeLengths = 1.1;
constexpr std::size_t kMostValues = 6;

std::size_t find_metric(const CompareRequest& request, const RunPointers& runs) {
  const auto all = [&runs](auto is_so) {
    return !runs.empty() && std::all_of(runs.begin(), runs.end(), is_so);
  };
  std::string name = request.metric;
  if (name.empty()) {
    name = "ring_needed";
    if (all([](const auto* run) { return !run->uses_ring; })) name = "lateness_p99.9";
    if (all([](const auto* run) { return !run->paced; })) name = "read_rate";
  }
  const auto index = find_run_figure(name);
  if (index && run_figures()[*index].may_decide) return *index;
  std::string names;
  for (const auto& figure : run_figures()) {
    if (figure.may_decide) names += (names.empty() ? "" : " ") + figure.info.name;
  }
  throw Error(ExitCode::usage, "--metric: '" + name + "' is none that can decide", "one of: " + names);
}

std::optional<double> pooled(const RunGroup& group, std::size_t index, Pooling pooling,
                             const std::optional<RateFigure>& dropouts) {
  if (pooling == Pooling::rate) return dropouts ? std::optional(dropouts->per_hour) : std::nullopt;
  std::vector<double> values;
  for (const auto* run : group.runs) {
    if (run->figures[index]) values.push_back(*run->figures[index]);
  }
  if (values.empty()) return std::nullopt;
  if (pooling == Pooling::largest) return *std::max_element(values.begin(), values.end());
  if (pooling == Pooling::median) return middle_value(std::move(values));
  double sum = 0;
  for (const double value : values) sum += value;
  return pooling == Pooling::mean ? sum / static_cast<double>(values.size()) : sum;
}

bool is_exploratory(const RunSummary& run) {
  return run.experiment && run.experiment->planned_runs > 0 &&
         run.experiment->block >= run.experiment->planned_runs;
}

ComparedGroup figures_of(const RunGroup& group) {
  ComparedGroup result{.label = group.label, .keys = group.keys, .pass = {}, .dropouts = {}, .figures = {}};
  std::vector<Exposure> exposures;
  std::set<std::string> boots;
  std::int64_t passed = 0;
  for (const auto* run : group.runs) {
    boots.insert(run->host + " " + run->boot);
    if (run->verdict == Verdict::pass) ++passed;
    if (is_exploratory(*run)) ++result.exploratory;
    result.time_ns += run->exposure_ns;
    if (run->exposure_ns > 0) exposures.push_back({run->dropouts, run->exposure_ns});
  }
  result.runs = static_cast<std::int64_t>(group.runs.size());
  result.boots = static_cast<std::int64_t>(boots.size());
  result.pass = share_of(passed, result.runs);
  result.dropouts = pooled_rate(exposures);
  for (std::size_t index = 0; index < run_figures().size(); ++index)
    result.figures.push_back(pooled(group, index, run_figures()[index].pooling, result.dropouts));
  return result;
}

Counts counts_of(const RunPointers& runs, const std::string& key) {
  Counts counts;
  for (const auto* run : runs) ++counts[value_of_key(*run, key)];
  return counts;
}

/// Whether a value is much more frequent in one group than in the other.
bool are_unbalanced(const RunGroup& left, const RunGroup& right, const std::string& key) {
  const auto of_left = counts_of(left.runs, key);
  const auto of_right = counts_of(right.runs, key);
  const auto differs = [](const Counts& one, double all, const Counts& other, double others) {
    return std::any_of(one.begin(), one.end(), [&](const auto& value) {
      const auto found = other.find(value.first);
      if (found == other.end()) return true;
      return std::fabs(static_cast<double>(value.second) / all -
                       static_cast<double>(found->second) / others) > kBalanced;
    });
  };
  const auto left_size = static_cast<double>(left.runs.size());
  const auto right_size = static_cast<double>(right.runs.size());
  return differs(of_left, left_size, of_right, right_size) ||
         differs(of_right, right_size, of_left, left_size);
}

/// Of runs: facts, and the settings of their sweeps that are no facts.
std::vector<std::string> keys_beside(const RunPointers& runs, const std::vector<std::string>& by) {
  std::vector<std::string> keys;
  const auto add = [&](const std::string& key) {
    const auto is_it = [&key](const auto& other) { return same_key(key, other); };
    if (std::any_of(by.begin(), by.end(), is_it) || std::any_of(keys.begin(), keys.end(), is_it)) return;
    keys.push_back(key);
  };
  for (const auto& key : fact_keys()) add(key);
  for (const auto* run : runs) {
    if (!run->experiment) continue;
    for (const auto& setting : run->experiment->varied) add(setting.key);
    for (const auto& setting : run->experiment->fixed) add(setting.key);
  }
  return keys;
}

bool follows_from_any(const std::string& fact, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&fact](const std::string& key) { return follows_from(fact, key); });
}

bool stands_in_the_way(const std::string& key) {
  const auto facts = fact_keys();
  const bool is_fact = std::find(facts.begin(), facts.end(), key) != facts.end();
  return !is_fact || confounds(key);
}

double usual_length_ns(const RunGroup& group) {
  std::vector<double> lengths;
  for (const auto* run : group.runs) lengths.push_back(static_cast<double>(run->exposure_ns));
  return middle_value(std::move(lengths));
}

std::vector<std::string> confounders_of(const RunGroup& group, const RunGroup& baseline,
                                        const std::vector<std::string>& by) {
  std::vector<std::string> confounders;
  RunPointers both(group.runs);
  both.insert(both.end(), baseline.runs.begin(), baseline.runs.end());
  // What differs as a matter of course does so only where the key itself differs between the two.
  std::vector<std::string> different;
  for (std::size_t index = 0; index < by.size(); ++index) {
    if (group.keys[index].second != baseline.keys[index].second) different.push_back(by[index]);
  }
  for (const auto& key : keys_beside(both, by)) {
    if (!stands_in_the_way(key) || follows_from_any(key, different)) continue;
    if (are_unbalanced(group, baseline, key)) confounders.push_back(key);
  }
  const double lengths[] = {usual_length_ns(group), usual_length_ns(baseline)};
  // The worst of a longer run is worse.
  if (std::max(lengths[0], lengths[1]) > kLikeLengths * std::min(lengths[0], lengths[1]))
    confounders.emplace_back("run length");
  return confounders;
}

bool differs_by_boot(const RunGroup& group, const RunGroup& baseline, const std::vector<std::string>& by) {
  bool kernel_differs = false;
  for (std::size_t index = 0; index < by.size(); ++index) {
    if (changes_by_boot(by[index]) && group.keys[index].second != baseline.keys[index].second)
      kernel_differs = true;
  }
  return kernel_differs;
}

std::string other_settings(const RunSummary& run, const std::vector<std::string>& by) {
  std::string text;
  for (const auto& setting : run.experiment->varied) {
    const bool compared =
        std::any_of(by.begin(), by.end(), [&](const auto& key) { return same_key(key, setting.key); });
    if (!compared) text += setting.key + "=" + setting.value + "\n";
  }
  return text;
}

RuleGroup rule_group(const RunGroup& group, std::size_t metric, const std::vector<std::string>& by) {
  RuleGroup result;
  for (const auto* run : group.runs) {
    if (!run->figures[metric]) continue;
    RunValue value{.logarithm = std::log(std::max(0.0, *run->figures[metric])),
                   .series = {},
                   .combination = {},
                   .boot = run->host + " " + run->boot,
                   .exploratory = is_exploratory(*run)};
    if (run->experiment) {
      value.series = run->experiment->sweep_id + " on " + run->host;
      value.block = run->experiment->block;
      value.combination = other_settings(*run, by);
    }
    result.values.push_back(std::move(value));
  }
  return result;
}

void judge_comparison(const std::vector<RunGroup>& groups, std::size_t metric, const CompareRequest& request,
                      Comparison& comparison) {
  std::vector<RuleGroup> rule_groups;
  const auto& baseline = groups[comparison.baseline];
  for (const auto& group : groups) {
    rule_groups.push_back(rule_group(group, metric, comparison.by));
    rule_groups.back().confounders = confounders_of(group, baseline, comparison.by);
    rule_groups.back().differs_by_boot = differs_by_boot(group, baseline, comparison.by);
  }
  comparison.judgements = judge_groups(rule_groups, comparison.baseline,
                                       {.metric = comparison.metric,
                                        .better = run_figures()[metric].better,
                                        .min_effect = request.min_effect});
}

std::string with_runs(const std::string& value, std::int64_t runs) {
  return value + " (" + counted(runs, "run") + ")";
}

void note_differences(const RunPointers& runs, Comparison& comparison) {
  for (const auto& key : keys_beside(runs, comparison.by)) {
    if (same_key(key, "file") || same_key(key, "directory") || follows_from_any(key, comparison.by)) continue;
    const auto counts = counts_of(runs, key);
    if (counts.size() < 2) continue;
    RunDifference difference{.what = key, .values = {}};
    for (const auto& [value, count] : counts) {
      if (difference.values.size() == kMostValues) {
        difference.values.push_back("and " + std::to_string(counts.size() - kMostValues) + " more");
        break;
      }
      difference.values.push_back(with_runs(value, count));
    }
    comparison.differences.push_back(std::move(difference));
  }
}

void note_oddities(const std::vector<RunGroup>& groups, std::size_t metric, Comparison& comparison) {
  std::set<std::string> inert;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    std::int64_t without = 0;
    for (const auto* run : groups[index].runs) {
      if (!run->figures[metric]) ++without;
      if (!run->experiment) continue;
      for (const auto* settings : {&run->experiment->varied, &run->experiment->fixed}) {
        for (const auto& setting : *settings) {
          if (!setting.acts) inert.insert(setting.key);
        }
      }
    }
    const auto& group = comparison.groups[index];
    if (without > 0)
      comparison.notes.push_back(with_runs(group.label, without) + ": without " + comparison.metric);
    if (group.exploratory > 0)
      comparison.notes.push_back(with_runs(group.label, group.exploratory) + ": beyond the planned number");
  }
  if (groups.size() == 1 && groups.front().runs.size() > 1)
    comparison.notes.emplace_back("all runs are of one group: --by KEY says what to compare");
  for (const auto& key : inert) comparison.notes.push_back(key + " cannot act in this configuration");
}

}  // namespace

Comparison compare_runs(const std::vector<RunSummary>& runs, const CompareRequest& request) {
  auto chosen = choose_runs(runs, request.doubtful);
  Comparison comparison;
  comparison.left_out = std::move(chosen.left_out);
  comparison.min_effect = request.min_effect;
  comparison.by = request.by.empty() ? usual_keys(chosen.used) : request.by;
  const auto metric = find_metric(request, chosen.used);
  comparison.metric = run_figures()[metric].info.name;
  for (const auto& figure : run_figures()) comparison.figures.push_back(figure.info);
  if (chosen.used.empty()) return comparison;
  check_keys(comparison.by, chosen.used);
  const auto groups = group_runs(chosen.used, comparison.by);
  comparison.baseline = find_baseline(groups, request.baseline);
  for (const auto& group : groups) comparison.groups.push_back(figures_of(group));
  judge_comparison(groups, metric, request, comparison);
  note_differences(chosen.used, comparison);
  note_oddities(groups, metric, comparison);
  return comparison;
}

}  // namespace xrunlab
