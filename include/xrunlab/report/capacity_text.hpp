// What `xrunlab capacity` prints: each trial, then what was found, and last the line that stands alone.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/model/capacity.hpp"

namespace xrunlab {

/// One search, at most 80 columns wide.
std::string capacity_text(const CapacityData& capacity);

/// A row for each format and ring, a column for each fragment: tracks, comfortable ones in brackets.
std::string capacity_table(const std::vector<CapacityData>& table);

/// A trial on one line, as it is shown when it has ended.
std::string capacity_trial_line(const CapacityData& capacity, const CapacityTrial& trial);

}  // namespace xrunlab
