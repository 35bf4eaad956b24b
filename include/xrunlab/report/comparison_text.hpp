// A comparison as text: a table of at most 80 columns to be mailed, and Markdown. Up to four groups have a
// column each, more a row each. Used by `compare`, and by `sweep` at its end.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

std::string comparison_text(const Comparison& comparison);

std::string comparison_markdown(const Comparison& comparison);

/// Those of several kinds of run, one below another.
std::string comparison_text(const std::vector<Comparison>& comparisons);
std::string comparison_markdown(const std::vector<Comparison>& comparisons);

}  // namespace xrunlab
