// `xrunlab compare RUNS|DIRS…`: which of several settings is better, from run files, with the statistics that
// such a statement needs. Called by main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct CompareOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> by;
  std::string baseline;
  std::string metric;
  std::string min_effect = "5%";
  std::string format = "text";
  std::vector<std::string> fail_if;
  bool include = false;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_compare(CLI::App& app, CompareOptions& options);

/// Prints the comparison. Returns ExitCode::limit_broken when a --fail-if holds or cannot be told, or when no
/// run counts. Throws Error.
ExitCode run_compare(const CompareOptions& options);

}  // namespace xrunlab
