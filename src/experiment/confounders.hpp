// What differs between groups of runs beside that by which they are grouped. Used by compare_runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "xrunlab/experiment/run_groups.hpp"

namespace xrunlab {

inline constexpr double kLikeLengths =
    1.1;  ///< lengths of which one is more than so many times the other differ

/// Facts, and settings of sweeps that are no facts, but not those of `by`.
std::vector<std::string> keys_beside(const std::vector<const RunSummary*>& runs,
                                     const std::vector<std::string>& by);

/// The values of a key and how many runs have each.
std::map<std::string, std::int64_t> counts_of(const std::vector<const RunSummary*>& runs,
                                              const std::string& key);

/// Whether the fact differs as a matter of course where one of these keys does.
bool follows_from_any(const std::string& fact, const std::vector<std::string>& keys);

/// What stands in the way of a conclusion about `by` from the figure `metric`.
std::vector<std::string> confounders_of(const RunGroup& group, const RunGroup& baseline,
                                        const std::vector<std::string>& by, std::size_t metric);

/// Whether the groups differ in something of `by` that only a boot changes.
bool differs_by_boot(const RunGroup& group, const RunGroup& baseline, const std::vector<std::string>& by);

}  // namespace xrunlab
