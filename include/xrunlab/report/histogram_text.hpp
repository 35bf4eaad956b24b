// The histograms of a run as bars of text, at most 80 columns wide, for a terminal or a mail. Called by main
// after a run.
#pragma once

#include <string>
#include <string_view>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// One histogram: a row for each octave that holds something, or for a half, a quarter or an eighth of one
/// where that gives 20 rows at most; rows between that hold nothing are left out. A bar's length is
/// proportional to the count, at least one # for one sample. `title` stands above.
std::string histogram_text(std::string_view title, const HistogramData& histogram);

/// T1, T2, T3, lateness, wake lateness and io latency of `run`; with injected faults a line above says so.
std::string histograms_text(const RunData& run);

}  // namespace xrunlab
