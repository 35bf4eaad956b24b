// `xrunlab plot RUN -o x.png`: draws a run with gnuplot, an optional program. Called by main.
#pragma once

#include <string>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct PlotOptions {
  std::string run;
  std::string record;  ///< empty: from the run file alone
  std::string output;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_plot(CLI::App& app, PlotOptions& options);

/// Writes the picture. Throws Error: usage for an ending that is no picture's and for a file that must not be
/// overwritten, input_file for what cannot be drawn, not_possible without gnuplot, system when it fails.
ExitCode run_plot(const PlotOptions& options);

}  // namespace xrunlab
