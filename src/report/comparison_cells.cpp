#include "comparison_cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kMostFiles = 4;

std::string share_cell(double share) {
  return three_digits(share * 100) + "%";
}

/// Whole ones, but for what is so short that tenths, or three digits, are needed to see anything.
std::string seconds_cell(std::int64_t ns) {
  const double seconds = static_cast<double>(ns) * 1e-9;
  if (seconds < 1) return three_digits(seconds);
  return fixed(seconds, seconds < 10 ? 1 : 0);
}

/// As the tables of cyclictest have it, to the microsecond and, in a median of two, its half.
std::string microseconds_cell(double ns) {
  const double us = ns / 1000;
  const int decimals = us >= 100 ? 1 : 2;
  std::string text = fixed(us, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + "us";
}

std::string figure_cell(double value, const FigureInfo& figure) {
  switch (figure.unit) {
    case FigureUnit::duration:
      if (figure.kinds == "latency") return microseconds_cell(value);
      return short_duration(static_cast<std::int64_t>(std::clamp(value, -9e18, 9e18)));
    case FigureUnit::bytes_per_second:
      return three_digits(value / 1e6);
    case FigureUnit::share:
      return share_cell(value);
    case FigureUnit::count:
      return fixed(value, value == std::floor(value) ? 0 : 1);
    default:
      return three_digits(value);
  }
}

std::string rate_interval(const ComparedGroup& group) {
  if (!group.dropouts) return "-";
  const auto& rate = *group.dropouts;
  return (rate.clustered ? "c " : "") + three_digits(rate.low_per_hour) + " … " +
         three_digits(rate.high_per_hour);
}

std::string pass_cell(const ComparedGroup& group) {
  if (group.pass.runs == 0) return "-";
  return std::to_string(group.pass.hits) + " of " + std::to_string(group.pass.runs);
}

std::string pass_interval(const ComparedGroup& group) {
  if (group.pass.runs == 0) return "-";
  return fixed(group.pass.low * 100, 0) + " … " + fixed(group.pass.high * 100, 0) + "%";
}

/// Behind a maximum: the seconds in which it was looked for, and that those of another group are more.
std::string length_mark(const Comparison& comparison, const ComparedGroup& group) {
  const std::string seconds = group.time_ns > 0 ? "/" + seconds_cell(group.time_ns) + "s" : "";
  return seconds + (comparison.unequal_lengths ? "*" : "");
}

/// What a row per figure would say twice, or in a worse form.
bool has_own_row(const FigureInfo& figure) {
  return figure.name == "pass_share" || figure.name == "dropouts" || figure.name == "dropouts_per_hour";
}

/// Rows of which a comparison has no use are empty.
std::vector<ComparisonRow> first_rows(const Comparison& comparison) {
  const auto any = [&comparison](auto has_it) {
    return std::any_of(comparison.groups.begin(), comparison.groups.end(), has_it);
  };
  const bool boots = any([](const ComparedGroup& group) { return group.boots > 1; });
  const bool passes = any([](const ComparedGroup& group) { return group.pass.runs > 0; });
  const bool dropouts = any([](const ComparedGroup& group) { return group.dropouts.has_value(); });
  std::vector<ComparisonRow> rows;
  const auto add = [&](bool wanted, ComparisonRow row, auto cell_of) {
    if (!wanted) return;
    for (const auto& group : comparison.groups) row.cells.push_back(cell_of(group));
    rows.push_back(std::move(row));
  };
  using Group = const ComparedGroup&;
  add(true, {"runs", {"", "runs"}, {}}, [](Group group) { return std::to_string(group.runs); });
  add(boots, {"boots", {"", "boots"}, {}}, [](Group group) { return std::to_string(group.boots); });
  add(true, {"seconds", {"", "seconds"}, {}},
      [](Group group) { return group.time_ns > 0 ? seconds_cell(group.time_ns) : std::string("-"); });
  add(passes, {"PASS", {"", "PASS"}, {}}, pass_cell);
  add(passes, {"  95 %", {"PASS,", "95 %"}, {}}, pass_interval);
  add(dropouts, {"dropouts", {"", "dropouts"}, {}},
      [](Group group) { return group.dropouts ? std::to_string(group.dropouts->events) : std::string("-"); });
  add(dropouts, {"  an hour", {"dropouts", "an hour"}, {}},
      [](Group group) { return group.dropouts ? three_digits(group.dropouts->per_hour) : std::string("-"); });
  add(dropouts, {"  95 %, an hour", {"an hour,", "95 %"}, {}}, rate_interval);
  return rows;
}

/// "T1 read" and "p99.9".
std::pair<std::string, std::string> head_of(const std::string& label) {
  const auto blank = label.find_last_of(' ');
  if (blank == std::string::npos) return {"", label};
  return {label.substr(0, blank), label.substr(blank + 1)};
}

/// "3 runs: a warm-up (a.json, b.json and 1 more)".
void add_left_out(const Comparison& comparison, std::vector<std::pair<std::string, std::string>>& remarks) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& run : comparison.left_out) by_reason[run.reason].push_back(run.file);
  for (const auto& [reason, files] : by_reason) {
    std::string names;
    for (std::size_t index = 0; index < std::min(files.size(), kMostFiles); ++index)
      names += (names.empty() ? "" : ", ") + files[index];
    if (files.size() > kMostFiles) names += " and " + std::to_string(files.size() - kMostFiles) + " more";
    remarks.emplace_back("left out", counted(static_cast<std::int64_t>(files.size()), "run") + ": " + reason +
                                         " (" + names + ")");
  }
}

}  // namespace

std::vector<ComparisonRow> comparison_rows(const Comparison& comparison) {
  auto rows = first_rows(comparison);
  for (std::size_t index = 0; index < comparison.figures.size(); ++index) {
    const auto& figure = comparison.figures[index];
    if (has_own_row(figure)) continue;
    ComparisonRow row{figure.label, head_of(figure.label), {}};
    bool any = false;
    for (const auto& group : comparison.groups) {
      const auto& value = group.figures[index];
      any = any || value.has_value();
      std::string cell = value ? figure_cell(*value, figure) : "-";
      // A maximum grows with the time in which it was looked for.
      if (value && figure.name.ends_with("_max")) cell += length_mark(comparison, group);
      if (value && comparison.unequal_rounds && figure.name == "latency_max_median") cell += "*";
      row.cells.push_back(std::move(cell));
    }
    if (any) rows.push_back(std::move(row));
  }
  return rows;
}

std::string comparison_title(const Comparison& comparison) {
  std::int64_t runs = 0;
  for (const auto& group : comparison.groups) runs += group.runs;
  std::string keys;
  for (const auto& key : comparison.by) keys += (keys.empty() ? "" : ", ") + key;
  const bool of_stream = comparison.kind.empty() || comparison.kind == "play";
  std::string title = counted(runs, "run") + (of_stream ? "" : " of kind " + comparison.kind) + " by " + keys;
  if (comparison.groups.size() > 1)
    title +=
        ", baseline " + comparison.groups[comparison.baseline].label + ", " + comparison.metric + " decides";
  return title;
}

std::vector<std::pair<std::string, std::string>> comparison_remarks(const Comparison& comparison) {
  std::vector<std::pair<std::string, std::string>> remarks;
  for (const auto& difference : comparison.differences) {
    std::string values;
    for (const auto& value : difference.values) values += (values.empty() ? "" : "; ") + value;
    remarks.emplace_back("differs too", difference.what + ": " + values);
  }
  add_left_out(comparison, remarks);
  for (const auto& note : comparison.notes) remarks.emplace_back("note", note);
  const bool clustered =
      std::any_of(comparison.groups.begin(), comparison.groups.end(),
                  [](const auto& group) { return group.dropouts && group.dropouts->clustered; });
  if (comparison.unequal_lengths || comparison.unequal_rounds)
    remarks.emplace_back("*", "maxima over unequal lengths: the longer one looks, the larger they are");
  if (clustered)
    remarks.emplace_back("c", "clustered: the runs differ by more than chance, interval by bootstrap");
  return remarks;
}

}  // namespace xrunlab
