// `xrunlab trace FILE --to csv`: prints what `xrunlab play --record FILE` wrote. Called by main.
#pragma once

#include <string>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct TraceOptions {
  std::string file;
  std::string to = "csv";
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_trace(CLI::App& app, TraceOptions& options);

/// Prints the trace on stdout. Throws Error{input_file} for a file that is no trace, and for one that is
/// damaged or cut off once everything that could be read has been printed; Error{system} when stdout fails.
ExitCode run_trace(const TraceOptions& options);

}  // namespace xrunlab
