// What `latency` prints: the table of rounds in 80 columns, the lines of cyclictest, histograms. From a
// run file's data only, measured or imported. Called by main.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"
#include "xrunlab/report/console.hpp"

namespace xrunlab {

/// How it was measured, each round, all together, each thread where there are several, warnings, and last the
/// verdict's line, which stands alone. ASCII; "-" for what is not known.
std::string latency_summary(const RunData& run, ConsoleStyle style);

/// For each round and thread the line that cyclictest -q of rt-tests 2.4 prints, in whole microseconds, of
/// the wake-ups that cyclictest would count.
std::string cyclictest_text(const RunData& run);

/// The histogram of all rounds, as far as there is one.
std::string latency_histogram_text(const RunData& run);

}  // namespace xrunlab
