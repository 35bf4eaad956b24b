// `xrunlab what-if RECORD`: what other rings and other cards' buffers would have done to a recorded run.
// Called by main.
#pragma once

#include <string>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

/// The options as typed.
struct WhatIfOptions {
  std::string record;
  std::string rings;
  std::string periods;
  std::string buffers;
  std::string io_size = "auto";
  std::string json;  ///< "-" for stdout, else a file; empty: a table
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_what_if(CLI::App& app, WhatIfOptions& options);

/// Prints the table. Returns limit_broken when for some card no ring would have been enough, 128 + n when
/// signal n ended it. Throws Error.
ExitCode run_what_if(const WhatIfOptions& options);

}  // namespace xrunlab
