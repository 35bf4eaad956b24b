// `xrunlab import FILE…`: makes run files out of what other programs have printed, for `compare`. Called by
// main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct ImportOptions {
  std::vector<std::string> files;  ///< "-" is stdin
  std::vector<std::string> facts;  ///< NAME=VALUE
  std::string directory = ".";
  bool dry_run = false;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_import(CLI::App& app, ImportOptions& options);

/// Writes a run file for each run in each file, and a line about it on stdout; a file that is there already
/// is never overwritten. Throws Error.
ExitCode run_import(const ImportOptions& options);

}  // namespace xrunlab
