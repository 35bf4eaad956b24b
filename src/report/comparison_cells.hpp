// The figures of a comparison as text, one row a figure and one cell a group: what the table and Markdown
// forms share. Part of report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

struct ComparisonRow {
  std::string label;
  std::pair<std::string, std::string> head;  ///< the label of a column, in two lines
  std::vector<std::string> cells;            ///< by group; "-": absent
};

/// The rows of all groups; a figure that no group has is left out.
std::vector<ComparisonRow> comparison_rows(const Comparison& comparison);

/// "40 runs by scheduler, baseline none, ring needed decides".
std::string comparison_title(const Comparison& comparison);

/// What stands below the table: differences, runs left out, notes. Label and text.
std::vector<std::pair<std::string, std::string>> comparison_remarks(const Comparison& comparison);

inline constexpr std::size_t kMostColumnGroups = 4;  ///< more groups have a row each

}  // namespace xrunlab
