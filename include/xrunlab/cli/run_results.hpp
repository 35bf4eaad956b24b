// What a measuring command says when a run is over: its summary, the run file, what went wrong. Used by play,
// replay, latency and jack, on the main thread.
#pragma once

#include <string>

#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/report/console.hpp"

namespace xrunlab {

/// What of a run goes to stdout, unless the run file does.
struct RunText {
  std::string summary;       ///< ends with the verdict, which is all of it when quiet
  std::string listing{};     ///< in the form of another program: in its place, and the verdict goes to stderr
  std::string histograms{};  ///< behind either; may be empty, as the listing
};

ToolInfo this_program();

/// Colour where stdout is a terminal that wants it.
ConsoleStyle stdout_style();

/// On stdout what was asked for, on stderr the rest, and the run file. Throws Error{system} when that cannot
/// be written.
void print_run(const RunOutput& output, const RunText& text, const RunData& run);

}  // namespace xrunlab
