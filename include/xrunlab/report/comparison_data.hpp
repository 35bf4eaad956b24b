// A comparison for programs: CSV, a row a group, and JSON with everything that is known. Used by `compare`.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

/// "better", "no difference" …: as JSON and CSV have it.
std::string to_string(Finding finding);

/// RFC 4180, a head line first, then a row for each group of each kind of run, of which there is one at
/// least; what is absent is empty.
std::string comparison_csv(const std::vector<Comparison>& comparisons);

/// Schema xrunlab/comparison/1, docs/compare.md, data/comparison-1.schema.json; what is absent is null. Of
/// several kinds of run the others hang on the first.
std::string comparison_json(const std::vector<Comparison>& comparisons);

}  // namespace xrunlab
