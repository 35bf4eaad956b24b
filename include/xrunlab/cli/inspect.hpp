// `xrunlab inspect FILES|DIRS…`: shows what the player sees in audio files, without playing them. Called by
// main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct InspectOptions {
  std::vector<std::string> inputs;
  std::string json;  ///< "-": standard output
  bool scan = false;
  bool verbose = false;
  bool ignore_length = false;
  bool strict = false;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_inspect(CLI::App& app, InspectOptions& options);

/// Prints the findings about all files. Returns ExitCode::input_file when one of them is not playable, with
/// --strict also when there is a warning about one, and 128 + n when signal n ended it. Throws Error.
ExitCode run_inspect(const InspectOptions& options);

}  // namespace xrunlab
