#include "xrunlab/experiment/compare_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "confounders.hpp"
#include "group_figures.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/experiment/run_keys.hpp"

namespace xrunlab {
namespace {

using RunPointers = std::vector<const RunSummary*>;

constexpr std::size_t kMostValues = 6;

/// The first that every group has. Listings have no percentiles, and what was published of some is a peak.
std::string usual_latency_metric(const std::vector<RunGroup>& groups) {
  constexpr std::array kNames{"latency_p99.9", "latency_max_median", "latency_max"};
  const auto has = [](const RunGroup& group, const char* name) {
    const auto index = *find_run_figure(name);
    return std::any_of(group.runs.begin(), group.runs.end(),
                       [index](const auto* run) { return run->figures[index].has_value(); });
  };
  for (const char* const name : kNames) {
    if (std::all_of(groups.begin(), groups.end(), [&](const auto& group) { return has(group, name); }))
      return name;
  }
  for (const char* const name : kNames) {
    if (std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return has(group, name); }))
      return name;
  }
  return kNames.back();
}

std::string usual_metric(const std::vector<RunGroup>& groups) {
  RunPointers runs;
  for (const auto& group : groups) runs.insert(runs.end(), group.runs.begin(), group.runs.end());
  const auto all = [&runs](auto is_so) { return std::all_of(runs.begin(), runs.end(), is_so); };
  const auto& kind = runs.front()->kind;
  if (kind == kLatencyKind) return usual_latency_metric(groups);
  if (kind == "jack") return "jack_delay_p99.9";
  if (all([](const auto* run) { return !run->paced; })) return "read_rate";
  return all([](const auto* run) { return !run->uses_ring; }) ? "lateness_p99.9" : "ring_needed";
}

/// What --metric names, or nothing; it decides for the kinds that have it.
std::optional<std::size_t> named_metric(const CompareRequest& request) {
  if (request.metric.empty()) return std::nullopt;
  const auto index = find_run_figure(request.metric);
  if (index && run_figures()[*index].may_decide) return index;
  std::string names;
  for (const auto& figure : run_figures()) {
    if (figure.may_decide) names += (names.empty() ? "" : " ") + figure.info.name;
  }
  throw Error(ExitCode::usage, "--metric: '" + request.metric + "' is none that can decide",
              "one of: " + names);
}

std::size_t find_metric(const CompareRequest& request, const std::vector<RunGroup>& groups) {
  const auto named = named_metric(request);
  if (named && is_figure_of(run_figures()[*named].info, groups.front().runs.front()->kind)) return *named;
  return *find_run_figure(usual_metric(groups));
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
    rule_groups.back().confounders = confounders_of(group, baseline, comparison.by, metric);
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

/// `without`: how many of its runs have no figure of the metric.
void note_group(const RunGroup& runs, const ComparedGroup& group, std::int64_t without,
                Comparison& comparison) {
  for (const auto* run : runs.runs) {
    for (const auto& partial : run->partial_rounds)
      comparison.notes.push_back(group.label + ": " + partial + " (" + run->file + ")");
  }
  if (without > 0)
    comparison.notes.push_back(with_runs(group.label, without) + ": without " + comparison.metric);
  if (group.exploratory > 0)
    comparison.notes.push_back(with_runs(group.label, group.exploratory) + ": beyond the planned number");
}

void note_oddities(const std::vector<RunGroup>& groups, std::size_t metric, Comparison& comparison) {
  std::set<std::string> inert;
  std::set<std::string> otherwise;
  std::vector<std::int64_t> without;
  for (const auto& group : groups) {
    without.push_back(std::count_if(group.runs.begin(), group.runs.end(),
                                    [metric](const auto* run) { return !run->figures[metric]; }));
  }
  const bool any_has_it =
      std::any_of(comparison.groups.begin(), comparison.groups.end(),
                  [metric](const auto& group) { return group.figures[metric].has_value(); });
  if (!any_has_it)
    comparison.notes.push_back("no run has " + comparison.metric + ": --metric names another figure");
  for (std::size_t index = 0; index < groups.size(); ++index) {
    note_group(groups[index], comparison.groups[index], any_has_it ? without[index] : 0, comparison);
    for (const auto* run : groups[index].runs) {
      if (!run->experiment) continue;
      for (const auto* settings : {&run->experiment->varied, &run->experiment->fixed}) {
        for (const auto& setting : *settings) {
          if (!setting.acts) inert.insert(setting.key);
          if (setting.asked)
            otherwise.insert(setting.key + " is " + setting.value + " where " + *setting.asked +
                             " was asked");
        }
      }
    }
  }
  if (groups.size() == 1 && groups.front().runs.size() > 1)
    comparison.notes.emplace_back("all runs are of one group: --by KEY says what to compare");
  for (const auto& key : inert) comparison.notes.push_back(key + " cannot act in this configuration");
  comparison.notes.insert(comparison.notes.end(), otherwise.begin(), otherwise.end());
}

bool lengths_differ(const std::vector<ComparedGroup>& groups) {
  const auto [least, most] =
      std::minmax_element(groups.begin(), groups.end(),
                          [](const auto& left, const auto& right) { return left.time_ns < right.time_ns; });
  return static_cast<double>(most->time_ns) > kLikeLengths * static_cast<double>(least->time_ns);
}

/// Of those that have rounds.
bool rounds_differ(const std::vector<ComparedGroup>& groups) {
  std::optional<double> least;
  std::optional<double> most;
  for (const auto& group : groups) {
    if (!group.round_ns) continue;
    least = std::min(*group.round_ns, least.value_or(*group.round_ns));
    most = std::max(*group.round_ns, most.value_or(*group.round_ns));
  }
  return least && *most > kLikeLengths * *least;
}

/// Of runs of one kind, at least one; `by` is known to some run.
Comparison compare_kind(const RunPointers& runs, const std::vector<std::string>& by,
                        const CompareRequest& request, const std::string& baseline) {
  Comparison comparison;
  comparison.kind = runs.front()->kind;
  comparison.min_effect = request.min_effect;
  comparison.by = by;
  const auto groups = group_runs(runs, by);
  const auto metric = find_metric(request, groups);
  comparison.metric = run_figures()[metric].info.name;
  for (const auto& figure : run_figures()) comparison.figures.push_back(figure.info);
  comparison.baseline = find_baseline(groups, baseline);
  for (const auto& group : groups) comparison.groups.push_back(figures_of(group));
  comparison.unequal_lengths = lengths_differ(comparison.groups);
  comparison.unequal_rounds = rounds_differ(comparison.groups);
  judge_comparison(groups, metric, request, comparison);
  note_differences(runs, comparison);
  note_oddities(groups, metric, comparison);
  return comparison;
}

/// In the order in which the kinds appear.
std::vector<RunPointers> by_kind(const RunPointers& runs) {
  std::vector<RunPointers> kinds;
  for (const auto* run : runs) {
    auto found = std::find_if(kinds.begin(), kinds.end(),
                              [run](const auto& others) { return others.front()->kind == run->kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), RunPointers{});
    found->push_back(run);
  }
  return kinds;
}

/// Whether --metric and --baseline concern any kind; each of several has its own groups and figures.
void check_request(const std::vector<RunPointers>& kinds, const CompareRequest& request) {
  const auto metric = named_metric(request);
  if (!metric || kinds.empty()) return;
  const auto& figure = run_figures()[*metric].info;
  const bool concerns_any = std::any_of(kinds.begin(), kinds.end(), [&figure](const auto& runs) {
    return is_figure_of(figure, runs.front()->kind);
  });
  if (concerns_any) return;
  throw Error(ExitCode::usage,
              "--metric: runs of kind " + kinds.front().front()->kind + " have no " + figure.name,
              "theirs is " + usual_metric({{.keys = {}, .label = {}, .runs = kinds.front()}}));
}

/// A name that only another kind of runs has is no name here.
std::string baseline_for(const RunPointers& runs, const std::vector<std::string>& by,
                         const CompareRequest& request, const std::vector<RunPointers>& kinds) {
  const auto has_it = [&](const RunPointers& others) {
    return has_group(group_runs(others, by), request.baseline);
  };
  const bool any_other = std::any_of(kinds.begin(), kinds.end(), has_it);
  return any_other && !has_it(runs) ? std::string() : request.baseline;
}

}  // namespace

std::vector<Comparison> compare_kinds(const std::vector<RunSummary>& runs, const CompareRequest& request) {
  auto chosen = choose_runs(runs, request.doubtful);
  const auto kinds = by_kind(chosen.used);
  check_request(kinds, request);
  const auto by = request.by.empty() ? usual_keys(chosen.used) : request.by;
  std::vector<Comparison> comparisons;
  if (kinds.empty()) {
    auto& nothing = comparisons.emplace_back();
    nothing.by = by;
    nothing.metric = request.metric;
    nothing.min_effect = request.min_effect;
  } else {
    check_keys(by, chosen.used);
  }
  for (const auto& of_kind : kinds)
    comparisons.push_back(compare_kind(of_kind, by, request, baseline_for(of_kind, by, request, kinds)));
  comparisons.front().left_out = std::move(chosen.left_out);
  return comparisons;
}

Comparison compare_runs(const std::vector<RunSummary>& runs, const CompareRequest& request) {
  auto comparisons = compare_kinds(runs, request);
  if (comparisons.size() == 1) return std::move(comparisons.front());
  std::string kinds;
  for (const auto& comparison : comparisons) kinds += (kinds.empty() ? "" : ", ") + comparison.kind;
  throw Error(ExitCode::usage, "runs of different kinds: " + kinds, "compare those of one kind at a time");
}

}  // namespace xrunlab
