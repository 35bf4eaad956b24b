// A comparison for programs: CSV, a row a group, and JSON with everything that is known. Used by `compare`.
#pragma once

#include <string>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

/// "better", "no difference" …: as JSON and CSV have it.
std::string to_string(Finding finding);

/// RFC 4180, a head line first; what is absent is empty.
std::string comparison_csv(const Comparison& comparison);

/// Schema xrunlab/comparison/1, docs/compare.md; what is absent is null.
std::string comparison_json(const Comparison& comparison);

}  // namespace xrunlab
