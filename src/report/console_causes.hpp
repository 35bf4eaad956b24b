// What the episodes of a run were put down to, grouped, the worst first. Used by console.cpp alone.
#pragma once

#include <cstddef>
#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Where the text of the summary's labelled lines begins.
inline constexpr std::size_t kSummaryIndent = 12;

/// Empty without episodes.
std::string cause_lines(const RunData& run);

}  // namespace xrunlab
