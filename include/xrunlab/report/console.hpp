// The summary of a run: one screen of at most 80 columns that can be pasted into a mail. Called by main after
// a run, and by whatever shows a run file again.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

enum class ConsoleStyle { plain, colour };

/// The set and the card as granted, the chain of buffers, the timers, what went wrong, the threads, warnings,
/// self-checks and, last, the verdict in a sentence that stands alone. Paths are cut to base names. ASCII
/// but for file names; the colours are ANSI's and take no columns.
std::string console_summary(const RunData& run, ConsoleStyle style);

}  // namespace xrunlab
