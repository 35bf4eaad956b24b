#include "group_figures.hpp"

#include <algorithm>
#include <set>

#include "xrunlab/experiment/exact_tests.hpp"
#include "xrunlab/experiment/intervals.hpp"

namespace xrunlab {
namespace {

/// Each run by its length; all alike where none is known.
std::optional<double> weighted_mean(const RunGroup& group, std::size_t index) {
  double sum = 0;
  double weights = 0;
  std::vector<double> values;
  for (const auto* run : group.runs) {
    if (!run->figures[index]) continue;
    const auto weight = static_cast<double>(run->exposure_ns);
    values.push_back(*run->figures[index]);
    sum += weight * values.back();
    weights += weight;
  }
  if (values.empty()) return std::nullopt;
  if (weights > 0) return sum / weights;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Over all rounds of all runs.
std::optional<double> median_of_rounds(const RunGroup& group, std::vector<double> RunSummary::*member) {
  std::vector<double> values;
  for (const auto* run : group.runs)
    values.insert(values.end(), (run->*member).begin(), (run->*member).end());
  if (values.empty()) return std::nullopt;
  return middle_value(std::move(values));
}

std::optional<double> pooled(const RunGroup& group, std::size_t index, Pooling pooling,
                             const std::optional<RateFigure>& dropouts) {
  if (pooling == Pooling::rate) return dropouts ? std::optional(dropouts->per_hour) : std::nullopt;
  if (pooling == Pooling::weighted_mean) return weighted_mean(group, index);
  std::vector<double> values;
  for (const auto* run : group.runs) {
    if (run->figures[index]) values.push_back(*run->figures[index]);
  }
  if (values.empty()) return std::nullopt;
  if (pooling == Pooling::rounds) return median_of_rounds(group, &RunSummary::round_maxima_ns);
  if (pooling == Pooling::largest) return *std::max_element(values.begin(), values.end());
  if (pooling == Pooling::median) return middle_value(std::move(values));
  double sum = 0;
  for (const double value : values) sum += value;
  return pooling == Pooling::mean ? sum / static_cast<double>(values.size()) : sum;
}

}  // namespace

std::optional<double> usual_round_ns(const RunGroup& group) {
  return median_of_rounds(group, &RunSummary::round_lengths_ns);
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
  std::int64_t judged = 0;
  for (const auto* run : group.runs) {
    boots.insert(run->host + " " + run->boot);
    if (run->judged) ++judged;
    if (run->judged && run->verdict == Verdict::pass) ++passed;
    if (is_exploratory(*run)) ++result.exploratory;
    result.time_ns += run->exposure_ns;
    if (run->exposure_ns > 0 && run->dropouts) exposures.push_back({*run->dropouts, run->exposure_ns});
  }
  result.runs = static_cast<std::int64_t>(group.runs.size());
  result.boots = static_cast<std::int64_t>(boots.size());
  result.round_ns = usual_round_ns(group);
  result.pass = share_of(passed, judged);
  result.dropouts = pooled_rate(exposures);
  for (std::size_t index = 0; index < run_figures().size(); ++index)
    result.figures.push_back(pooled(group, index, run_figures()[index].pooling, result.dropouts));
  return result;
}

}  // namespace xrunlab
