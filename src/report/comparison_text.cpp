#include "xrunlab/report/comparison_text.hpp"

#include <algorithm>

#include "comparison_cells.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kLabelColumns = 16;
constexpr std::size_t kLongestName = 22;  // of a group with a row of its own
constexpr std::size_t kVerdictIndent = 16;

std::string padded_left(const std::string& text, std::size_t columns) {
  const std::size_t taken = display_columns(text);
  return std::string(taken < columns ? columns - taken : 0, ' ') + text;
}

std::string padded_right(const std::string& text, std::size_t columns) {
  const std::size_t taken = display_columns(text);
  return text + std::string(taken < columns ? columns - taken : 0, ' ');
}

std::string line_ended(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// Names that fit into `columns`: the groups' own, or else numbers that a legend explains.
std::vector<std::string> short_names(const Comparison& comparison, std::size_t columns, std::string& legend) {
  std::vector<std::string> names;
  bool fit = true;
  for (const auto& group : comparison.groups) {
    names.push_back(printable(group.label));
    fit = fit && display_columns(names.back()) <= columns;
  }
  if (fit) return names;
  for (std::size_t index = 0; index < names.size(); ++index) {
    std::string name = "(" + std::to_string(index + 1) + ")";
    std::string values;
    for (const auto& [key, value] : comparison.groups[index].keys) {
      if (value != "-") values += (values.empty() ? "" : ", ") + key + " " + value;
    }
    if (values.empty()) values = "-";
    legend += labelled(name, 5, values);
    names[index] = std::move(name);
  }
  legend += "\n";
  return names;
}

std::string column_form(const Comparison& comparison, const std::vector<ComparisonRow>& rows) {
  const std::size_t groups = comparison.groups.size();
  const std::size_t width = std::min<std::size_t>((kReportColumns - kLabelColumns) / groups, 20);
  std::string legend;
  const auto names = short_names(comparison, width - 1, legend);
  std::string head(kLabelColumns, ' ');
  std::string below(kLabelColumns, ' ');
  for (std::size_t index = 0; index < groups; ++index) {
    head += padded_left(names[index], width);
    below += padded_left(groups > 1 && index == comparison.baseline ? "baseline" : "", width);
  }
  std::string text = legend + line_ended(head);
  if (groups > 1) text += line_ended(below);
  for (const auto& row : rows) {
    std::string line = padded_right(row.label, kLabelColumns);
    for (const auto& cell : row.cells) line += padded_left(cell, width);
    text += line_ended(line);
  }
  return text;
}

std::size_t width_of(const ComparisonRow& row) {
  const auto& [above, below] = row.head;
  std::size_t width = std::max(display_columns(above), display_columns(below));
  for (const auto& cell : row.cells) width = std::max(width, display_columns(cell));
  return width + 2;
}

/// As many figures side by side as 80 columns hold, then the next ones below.
std::string row_form(const Comparison& comparison, const std::vector<ComparisonRow>& rows) {
  std::string legend;
  const auto names = short_names(comparison, kLongestName, legend);
  std::size_t name_columns = 0;
  for (const auto& name : names) name_columns = std::max(name_columns, display_columns(name));
  std::string text = legend;
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t last = first;
    std::size_t taken = name_columns;
    while (last < rows.size() && (last == first || taken + width_of(rows[last]) <= kReportColumns))
      taken += width_of(rows[last++]);
    std::string above(name_columns, ' ');
    std::string below(name_columns, ' ');
    for (std::size_t row = first; row < last; ++row) {
      above += padded_left(rows[row].head.first, width_of(rows[row]));
      below += padded_left(rows[row].head.second, width_of(rows[row]));
    }
    if (first > 0) text += "\n";
    if (above.find_first_not_of(' ') != std::string::npos) text += line_ended(above);
    text += line_ended(below);
    for (std::size_t group = 0; group < names.size(); ++group) {
      std::string line = padded_right(names[group], name_columns);
      for (std::size_t row = first; row < last; ++row)
        line += padded_left(rows[row].cells[group], width_of(rows[row]));
      text += line_ended(line);
    }
    first = last;
  }
  return text;
}

std::string judgement_lines(const Comparison& comparison) {
  std::size_t indent = kVerdictIndent;
  for (const auto& group : comparison.groups) {
    const std::size_t columns = display_columns(printable(group.label));
    if (columns <= kLongestName) indent = std::max(indent, columns + 2);
  }
  std::string text;
  for (std::size_t index = 0; index < comparison.judgements.size(); ++index) {
    if (index == comparison.baseline) continue;
    const std::string label = printable(comparison.groups[index].label);
    const std::size_t columns = display_columns(label);
    // A label that is too long stands on a line of its own.
    const bool fits = columns + 2 <= indent;
    if (!fits) text += labelled("", 0, label);
    text += labelled(fits ? padded_right(label, indent) : "", indent, comparison.judgements[index].text);
  }
  return text;
}

std::string in_cell(const std::string& text) {
  std::string result;
  for (const char letter : printable(text))
    result += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return result;
}

std::string markdown_row(const std::string& first, const std::vector<std::string>& cells) {
  std::string line = "| " + in_cell(first) + " |";
  for (const auto& cell : cells) line += " " + in_cell(cell) + " |";
  return line + "\n";
}

std::string markdown_head(const std::string& first, const std::vector<std::string>& heads) {
  std::string line = "|---|";
  for (std::size_t index = 0; index < heads.size(); ++index) line += "---:|";
  return markdown_row(first, heads) + line + "\n";
}

std::string markdown_table(const Comparison& comparison, const std::vector<ComparisonRow>& rows) {
  std::vector<std::string> names;
  for (std::size_t index = 0; index < comparison.groups.size(); ++index) {
    const bool baseline = comparison.groups.size() > 1 && index == comparison.baseline;
    names.push_back(comparison.groups[index].label + (baseline ? " (baseline)" : ""));
  }
  if (comparison.groups.size() <= kMostColumnGroups) {
    std::string text = markdown_head("", names);
    for (const auto& row : rows) text += markdown_row(row.label, row.cells);
    return text;
  }
  std::vector<std::string> labels;
  for (const auto& row : rows)
    labels.push_back(row.head.first + (row.head.first.empty() ? "" : " ") + row.head.second);
  std::string text = markdown_head("", labels);
  for (std::size_t group = 0; group < names.size(); ++group) {
    std::vector<std::string> cells;
    for (const auto& row : rows) cells.push_back(row.cells[group]);
    text += markdown_row(names[group], cells);
  }
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text = labelled("", 0, comparison_title(comparison)) + "\n";
  if (comparison.groups.empty()) {
    text = "no run counts\n";
  } else {
    const auto rows = comparison_rows(comparison);
    text += comparison.groups.size() <= kMostColumnGroups ? column_form(comparison, rows)
                                                          : row_form(comparison, rows);
    if (comparison.groups.size() > 1) text += "\n" + judgement_lines(comparison);
  }
  const auto remarks = comparison_remarks(comparison);
  if (!remarks.empty()) text += "\n";
  for (const auto& [label, remark] : remarks) text += labelled(label, kVerdictIndent, remark);
  return text;
}

std::string comparison_markdown(const Comparison& comparison) {
  if (comparison.groups.empty() && comparison.left_out.empty()) return "no run counts\n";
  std::string text;
  if (comparison.groups.empty()) {
    text = "no run counts\n";
  } else {
    text = in_cell(comparison_title(comparison)) + "\n\n" +
           markdown_table(comparison, comparison_rows(comparison));
  }
  std::string list;
  for (std::size_t index = 0; index < comparison.judgements.size(); ++index) {
    if (index == comparison.baseline) continue;
    list += "- **" + in_cell(comparison.groups[index].label) +
            "**: " + in_cell(comparison.judgements[index].text) + "\n";
  }
  for (const auto& [label, remark] : comparison_remarks(comparison))
    list += "- " + label + ": " + in_cell(remark) + "\n";
  return list.empty() ? text : text + "\n" + list;
}

std::string comparison_text(const std::vector<Comparison>& comparisons) {
  std::string text;
  for (const auto& comparison : comparisons)
    text += (text.empty() ? "" : "\n\n") + comparison_text(comparison);
  return text;
}

std::string comparison_markdown(const std::vector<Comparison>& comparisons) {
  std::string text;
  for (const auto& comparison : comparisons)
    text += (text.empty() ? "" : "\n") + comparison_markdown(comparison);
  return text;
}

}  // namespace xrunlab
