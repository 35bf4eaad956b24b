#include "xrunlab/report/comparison_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

using OrderedJson = nlohmann::ordered_json;
using CsvFields = std::vector<std::string>;

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char letter : text) field += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return field + "\"";
}

std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string csv_line(const CsvFields& fields) {
  std::string line;
  for (const auto& field : fields) line += (line.empty() ? "" : ",") + field;
  return line + "\n";
}

/// Whether runs of any of these kinds can have it.
bool is_wanted(const FigureInfo& figure, const std::vector<Comparison>& comparisons) {
  return std::any_of(comparisons.begin(), comparisons.end(), [&figure](const Comparison& comparison) {
    return is_figure_of(figure, comparison.kind);
  });
}

CsvFields csv_head(const std::vector<Comparison>& comparisons) {
  CsvFields head{"group"};
  for (const auto& key : comparisons.front().by) head.push_back(csv_field(key));
  for (const char* name : {"runs", "boots", "exploratory", "time_ns", "pass_low_share", "pass_high_share",
                           "dropouts_low_per_hour", "dropouts_high_per_hour", "dropouts_clustered"})
    head.emplace_back(name);
  for (const auto& figure : comparisons.front().figures) {
    if (is_wanted(figure, comparisons)) head.push_back(figure.key);
  }
  for (const char* name :
       {"metric", "finding", "test", "ratio", "ratio_low", "ratio_high", "p", "adjusted_p", "text", "kind"})
    head.emplace_back(name);
  return head;
}

CsvFields csv_row(const std::vector<Comparison>& comparisons, const Comparison& comparison,
                  std::size_t index) {
  const auto& group = comparison.groups[index];
  const auto& judgement = comparison.judgements[index];
  CsvFields row{csv_field(group.label)};
  for (const auto& [key, value] : group.keys) row.push_back(csv_field(value));
  const auto& dropouts = group.dropouts;
  row.insert(row.end(),
             {std::to_string(group.runs), std::to_string(group.boots), std::to_string(group.exploratory),
              group.time_ns > 0 ? std::to_string(group.time_ns) : "",
              group.pass.runs > 0 ? csv_number(group.pass.low) : "",
              group.pass.runs > 0 ? csv_number(group.pass.high) : "",
              dropouts ? csv_number(dropouts->low_per_hour) : "",
              dropouts ? csv_number(dropouts->high_per_hour) : "",
              dropouts ? (dropouts->clustered ? "true" : "false") : ""});
  for (std::size_t figure = 0; figure < group.figures.size(); ++figure) {
    if (is_wanted(comparison.figures[figure], comparisons)) row.push_back(csv_number(group.figures[figure]));
  }
  row.insert(row.end(), {comparison.metric, csv_field(to_string(judgement.finding)), judgement.test,
                         csv_number(judgement.ratio), csv_number(judgement.low), csv_number(judgement.high),
                         csv_number(judgement.p), csv_number(judgement.adjusted_p), csv_field(judgement.text),
                         comparison.kind});
  return row;
}

/// JSON has no infinity: a ratio to a figure of 0 is null.
OrderedJson json_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson json_of(const RateFigure& rate) {
  return {{"count", rate.events},
          {"time_ns", rate.time_ns},
          {"per_hour", rate.per_hour},
          {"low_per_hour", rate.low_per_hour},
          {"high_per_hour", rate.high_per_hour},
          {"clustered", rate.clustered}};
}

OrderedJson json_of(const ShareFigure& share) {
  return {{"count", share.hits}, {"low_share", share.low}, {"high_share", share.high}};
}

OrderedJson json_of(const Judgement& judgement) {
  return {{"finding", to_string(judgement.finding)},
          {"text", escape_bytes(judgement.text)},
          {"test", judgement.test.empty() ? OrderedJson(nullptr) : OrderedJson(judgement.test)},
          {"ratio", json_number(judgement.ratio)},
          {"ratio_low", json_number(judgement.low)},
          {"ratio_high", json_number(judgement.high)},
          {"p", json_number(judgement.p)},
          {"adjusted_p", json_number(judgement.adjusted_p)},
          {"has", judgement.has},
          {"needs", judgement.needs}};
}

OrderedJson json_of(const Comparison& comparison, std::size_t index) {
  const auto& group = comparison.groups[index];
  OrderedJson keys = OrderedJson::object();
  for (const auto& [key, value] : group.keys) keys[escape_bytes(key)] = escape_bytes(value);
  OrderedJson figures = OrderedJson::object();
  for (std::size_t figure = 0; figure < comparison.figures.size(); ++figure) {
    const auto& info = comparison.figures[figure];
    if (is_figure_of(info, comparison.kind)) figures[info.key] = json_number(group.figures[figure]);
  }
  return {{"label", escape_bytes(group.label)},
          {"keys", keys},
          {"runs", group.runs},
          {"boots", group.boots},
          {"exploratory", group.exploratory},
          {"time_ns", group.time_ns > 0 ? OrderedJson(group.time_ns) : OrderedJson(nullptr)},
          {"pass", group.pass.runs > 0 ? json_of(group.pass) : OrderedJson(nullptr)},
          {"dropouts", group.dropouts ? json_of(*group.dropouts) : OrderedJson(nullptr)},
          {"figures", figures},
          {"judgement", json_of(comparison.judgements[index])}};
}

OrderedJson json_list(const std::vector<std::string>& texts) {
  auto list = OrderedJson::array();
  for (const auto& text : texts) list.push_back(escape_bytes(text));
  return list;
}

OrderedJson json_of(const Comparison& comparison) {
  OrderedJson json;
  json["kind"] = comparison.kind.empty() ? OrderedJson(nullptr) : OrderedJson(escape_bytes(comparison.kind));
  json["by"] = json_list(comparison.by);
  json["metric"] = comparison.metric;
  json["min_effect"] = comparison.min_effect;
  json["baseline"] = comparison.groups.empty()
                         ? OrderedJson(nullptr)
                         : OrderedJson(escape_bytes(comparison.groups[comparison.baseline].label));
  json["unequal_lengths"] = comparison.unequal_lengths;
  json["unequal_rounds"] = comparison.unequal_rounds;
  json["groups"] = OrderedJson::array();
  for (std::size_t index = 0; index < comparison.groups.size(); ++index)
    json["groups"].push_back(json_of(comparison, index));
  json["differences"] = OrderedJson::array();
  for (const auto& difference : comparison.differences)
    json["differences"].push_back(
        {{"what", escape_bytes(difference.what)}, {"values", json_list(difference.values)}});
  json["left_out"] = OrderedJson::array();
  for (const auto& run : comparison.left_out)
    json["left_out"].push_back({{"file", escape_bytes(run.file)}, {"reason", escape_bytes(run.reason)}});
  json["notes"] = json_list(comparison.notes);
  return json;
}

}  // namespace

std::string to_string(Finding finding) {
  switch (finding) {
    case Finding::baseline:
      return "baseline";
    case Finding::better:
      return "better";
    case Finding::worse:
      return "worse";
    case Finding::no_difference:
      return "no difference";
    case Finding::too_few:
      return "too few";
    case Finding::one_boot:
      return "too few boots";
    case Finding::confounded:
      return "confounded";
    case Finding::nothing_to_see:
      return "no figures";
  }
  return {};
}

std::string comparison_csv(const std::vector<Comparison>& comparisons) {
  std::string text = csv_line(csv_head(comparisons));
  for (const auto& comparison : comparisons) {
    for (std::size_t index = 0; index < comparison.groups.size(); ++index)
      text += csv_line(csv_row(comparisons, comparison, index));
  }
  return text;
}

std::string comparison_json(const std::vector<Comparison>& comparisons) {
  OrderedJson json{{"schema", "xrunlab/comparison/1"}};
  json.update(json_of(comparisons.front()));
  json["other_kinds"] = OrderedJson::array();
  for (std::size_t index = 1; index < comparisons.size(); ++index)
    json["other_kinds"].push_back(json_of(comparisons[index]));
  return json.dump(1) + "\n";
}

}  // namespace xrunlab
