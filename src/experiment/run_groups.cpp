#include "xrunlab/experiment/run_groups.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "xrunlab/core/error.hpp"
#include "xrunlab/experiment/run_keys.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using RunPointers = std::vector<const RunSummary*>;

constexpr const char* kUnknown = "-";

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Why a run is no measurement; empty when it is one.
std::string doubt_about(const RunSummary& run) {
  if (!run.complete) {
    if (run.reason.starts_with("incomplete")) return run.reason;
    return "incomplete" + (run.reason.empty() ? "" : ": " + run.reason);
  }
  if (run.fault_injected) return "faults were injected into it";
  if (run.judged && run.verdict == Verdict::no_verdict)
    return "NO VERDICT" + (run.reason.empty() ? "" : ": " + run.reason);
  if (run.judged && run.verdict == Verdict::fail && !run.too_easy.empty())
    return "FAIL, which a PASS could not have been set against: " + run.too_easy;
  return {};
}

const SettingData* find_setting(const std::vector<SettingData>& settings, const std::string& key) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&key](const auto& setting) { return same_key(setting.key, key); });
  return found == settings.end() ? nullptr : &*found;
}

const SettingData* find_setting(const RunSummary& run, const std::string& key) {
  if (!run.experiment) return nullptr;
  const auto* const varied = find_setting(run.experiment->varied, key);
  return varied != nullptr ? varied : find_setting(run.experiment->fixed, key);
}

/// A kernel's release is enough where no other kernel of the runs has it too.
std::string shown_value(const std::string& value, const std::string& key,
                        const std::set<std::string>& values) {
  if (!same_key(key, "kernel")) return value;
  const std::string release = value.substr(0, value.find(' '));
  const auto like = std::count_if(values.begin(), values.end(), [&release](const auto& other) {
    return other.substr(0, other.find(' ')) == release;
  });
  return like > 1 ? value : release;
}

void label_groups(std::vector<RunGroup>& groups) {
  if (groups.empty()) return;
  for (std::size_t index = 0; index < groups.front().keys.size(); ++index) {
    std::set<std::string> values;
    for (const auto& group : groups) values.insert(group.keys[index].second);
    for (auto& group : groups) {
      auto& [key, value] = group.keys[index];
      value = shown_value(value, key, values);
      if (value != kUnknown) group.label += (group.label.empty() ? "" : " / ") + value;
    }
  }
  for (auto& group : groups) {
    if (group.label.empty()) group.label = kUnknown;
  }
}

/// Whether what has no kernel's name, or the same, is told apart by its titles: listings of one source.
bool titles_differ(const RunPointers& runs) {
  std::map<std::vector<std::string>, std::string> titles;
  return std::any_of(runs.begin(), runs.end(), [&titles](const auto* run) {
    if (!run->imported) return false;
    const auto title = value_of_key(*run, "title");
    const auto [known, is_new] =
        titles.try_emplace({run->kind, value_of_key(*run, "kernel"), value_of_key(*run, "preempt")}, title);
    return !is_new && known->second != title;
  });
}

std::int64_t first_combination(const RunGroup& group) {
  std::int64_t first = INT64_MAX;
  for (const auto* run : group.runs) {
    if (run->experiment) first = std::min(first, run->experiment->combination);
  }
  return first;
}

bool is_as_found(const RunGroup& group) {
  bool any = false;
  for (const auto& [key, value] : group.keys) {
    const auto* const setting = find_setting(*group.runs.front(), key);
    if (setting == nullptr || !setting->found) continue;
    if (*setting->found != value) return false;
    any = true;
  }
  return any;
}

bool is_named(const RunGroup& group, const std::string& name) {
  if (group.label == name) return true;
  return std::any_of(group.keys.begin(), group.keys.end(), [&name](const auto& key) {
    return key.second == name || key.first + "=" + key.second == name;
  });
}

}  // namespace

ChosenRuns choose_runs(const std::vector<RunSummary>& runs, DoubtfulRuns doubtful) {
  ChosenRuns chosen;
  std::map<std::vector<std::string>, std::string> seen;
  for (const auto& run : runs) {
    const auto [first, is_new] =
        seen.try_emplace({run.host, run.boot, run.start, std::to_string(run.exposure_ns)}, run.file);
    std::string reason;
    if (!is_new && !run.start.empty()) {
      reason = "the same run as " + first->second;
    } else if (run.experiment && run.experiment->warmup) {
      reason = "a warm-up";
    } else if (doubtful == DoubtfulRuns::leave_out) {
      reason = doubt_about(run);
    }
    if (reason.empty()) {
      chosen.used.push_back(&run);
    } else {
      chosen.left_out.push_back({run.file, reason});
    }
  }
  return chosen;
}

std::vector<std::string> usual_keys(const RunPointers& runs) {
  std::vector<std::string> keys;
  for (const auto* run : runs) {
    if (!run->experiment) continue;
    for (const auto& setting : run->experiment->varied) {
      const bool known = std::any_of(keys.begin(), keys.end(),
                                     [&](const std::string& key) { return same_key(key, setting.key); });
      if (!known) keys.push_back(setting.key);
    }
  }
  if (!keys.empty()) return keys;
  keys = {"kernel", "preempt"};
  if (titles_differ(runs)) keys.emplace_back("title");
  return keys;
}

void check_keys(const std::vector<std::string>& keys, const RunPointers& runs) {
  auto known = usual_keys(runs);
  for (const auto& key : fact_keys()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
  }
  for (auto key = keys.begin(); key != keys.end(); ++key) {
    const bool again =
        std::any_of(keys.begin(), key, [&key](const auto& other) { return same_key(*key, other); });
    if (again) throw Error(ExitCode::usage, "--by: " + *key + " is there twice", "name each key once");
  }
  for (const auto& key : keys) {
    const bool is_fact =
        std::any_of(known.begin(), known.end(), [&key](const auto& other) { return same_key(key, other); });
    const bool is_fixed = std::any_of(runs.begin(), runs.end(),
                                      [&key](const auto* run) { return find_setting(*run, key) != nullptr; });
    if (is_fact || is_fixed) continue;
    throw Error(ExitCode::usage, "--by: no run knows '" + key + "'", "they know " + listed(known));
  }
}

std::string value_of_key(const RunSummary& run, const std::string& key) {
  if (const auto* const setting = find_setting(run, key)) return setting->value;
  for (const auto& [fact, value] : run.facts) {
    if (same_key(fact, key)) return value;
  }
  return kUnknown;
}

std::vector<RunGroup> group_runs(const RunPointers& runs, const std::vector<std::string>& keys) {
  std::vector<RunGroup> groups;
  for (const auto* run : runs) {
    KeyValues values;
    for (const auto& key : keys) values.emplace_back(key, value_of_key(*run, key));
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&values](const RunGroup& group) { return group.keys == values; });
    if (found == groups.end()) found = groups.insert(groups.end(), {values, {}, {}});
    found->runs.push_back(run);
  }
  const bool all_swept =
      std::all_of(runs.begin(), runs.end(), [](const auto* run) { return run->experiment.has_value(); });
  if (all_swept) {
    std::stable_sort(groups.begin(), groups.end(), [](const RunGroup& left, const RunGroup& right) {
      return first_combination(left) < first_combination(right);
    });
  }
  label_groups(groups);
  return groups;
}

bool has_group(const std::vector<RunGroup>& groups, const std::string& name) {
  return std::any_of(groups.begin(), groups.end(),
                     [&name](const RunGroup& group) { return is_named(group, name); });
}

std::size_t find_baseline(const std::vector<RunGroup>& groups, const std::string& named) {
  const auto index_of = [&groups](auto found) { return static_cast<std::size_t>(found - groups.begin()); };
  if (named.empty()) {
    const auto as_found = std::find_if(groups.begin(), groups.end(), is_as_found);
    return as_found == groups.end() ? 0 : index_of(as_found);
  }
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&named](const RunGroup& group) { return is_named(group, named); });
  if (found != groups.end()) return index_of(found);
  std::vector<std::string> labels;
  for (const auto& group : groups) labels.push_back(group.label);
  throw Error(ExitCode::usage, "--baseline: there is no group '" + named + "'",
              labels.empty() ? "no run is left to compare" : "the groups are " + listed(labels));
}

}  // namespace xrunlab
