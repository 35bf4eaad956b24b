#include "confounders.hpp"

#include <algorithm>
#include <cmath>

#include "group_figures.hpp"
#include "xrunlab/experiment/exact_tests.hpp"
#include "xrunlab/experiment/run_keys.hpp"

namespace xrunlab {
namespace {

using RunPointers = std::vector<const RunSummary*>;
using Counts = std::map<std::string, std::int64_t>;

// Shares of a value among the runs of two groups that differ by more are no balance.
constexpr double kBalanced = 0.25;

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

/// The worst of a longer run is worse; a percentile is not; of the usual worst of a round its length counts.
bool grows_with_length(const RunSummary& run, std::size_t metric) {
  const bool of_stream = is_figure_of(run_figures()[*find_run_figure("ring_needed")].info, run.kind);
  return of_stream || run_figures()[metric].pooling == Pooling::largest;
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

}  // namespace

std::map<std::string, std::int64_t> counts_of(const RunPointers& runs, const std::string& key) {
  Counts counts;
  for (const auto* run : runs) ++counts[value_of_key(*run, key)];
  return counts;
}

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

std::vector<std::string> confounders_of(const RunGroup& group, const RunGroup& baseline,
                                        const std::vector<std::string>& by, std::size_t metric) {
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
  if (grows_with_length(*group.runs.front(), metric) && !follows_from_any("run length", different) &&
      std::max(lengths[0], lengths[1]) > kLikeLengths * std::min(lengths[0], lengths[1]))
    confounders.emplace_back("run length");
  // The worst of a longer round is worse, so the usual worst is too.
  const double rounds[] = {usual_round_ns(group).value_or(0), usual_round_ns(baseline).value_or(0)};
  if (run_figures()[metric].pooling == Pooling::rounds &&
      std::max(rounds[0], rounds[1]) > kLikeLengths * std::min(rounds[0], rounds[1]))
    confounders.emplace_back("round length");
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

}  // namespace xrunlab
