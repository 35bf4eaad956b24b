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

std::string seconds_cell(std::int64_t ns) {
  return std::to_string(static_cast<std::int64_t>(std::llround(static_cast<double>(ns) * 1e-9)));
}

std::string figure_cell(double value, FigureUnit unit) {
  switch (unit) {
    case FigureUnit::duration:
      return short_duration(static_cast<std::int64_t>(std::clamp(value, -9e18, 9e18)));
    case FigureUnit::bytes_per_second:
      return three_digits(value / 1e6);
    case FigureUnit::share:
      return share_cell(value);
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

/// What a row per figure would say twice, or in a worse form.
bool has_own_row(const FigureInfo& figure) {
  return figure.name == "pass_share" || figure.name == "dropouts" || figure.name == "dropouts_per_hour";
}

std::vector<ComparisonRow> first_rows(const Comparison& comparison) {
  std::vector<ComparisonRow> rows{{"runs", {"", "runs"}, {}},
                                  {"boots", {"", "boots"}, {}},
                                  {"seconds", {"", "seconds"}, {}},
                                  {"PASS", {"", "PASS"}, {}},
                                  {"  95 %", {"PASS,", "95 %"}, {}},
                                  {"dropouts", {"", "dropouts"}, {}},
                                  {"  an hour", {"dropouts", "an hour"}, {}},
                                  {"  95 %, an hour", {"an hour,", "95 %"}, {}}};
  for (const auto& group : comparison.groups) {
    const auto& pass = group.pass;
    const std::string cells[] = {std::to_string(group.runs),
                                 std::to_string(group.boots),
                                 seconds_cell(group.time_ns),
                                 std::to_string(pass.hits) + " of " + std::to_string(pass.runs),
                                 fixed(pass.low * 100, 0) + " … " + fixed(pass.high * 100, 0) + "%",
                                 group.dropouts ? std::to_string(group.dropouts->events) : "-",
                                 group.dropouts ? three_digits(group.dropouts->per_hour) : "-",
                                 rate_interval(group)};
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row].cells.push_back(cells[row]);
  }
  const auto in_one_boot = [](const ComparedGroup& group) { return group.boots <= 1; };
  if (std::all_of(comparison.groups.begin(), comparison.groups.end(), in_one_boot))
    rows.erase(rows.begin() + 1);
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
      std::string cell = value ? figure_cell(*value, figure.unit) : "n/a";
      // A maximum grows with the time in which it was looked for.
      if (value && figure.name.ends_with("_max")) cell += "/" + seconds_cell(group.time_ns) + "s";
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
  std::string title = counted(runs, "run") + " by " + keys;
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
  if (clustered)
    remarks.emplace_back("c", "clustered: the runs differ by more than chance, interval by bootstrap");
  return remarks;
}

}  // namespace xrunlab
