// `xrunlab repro RECORD -o DIR`: writes a small case for a bug report, from a recorded run. Called by main.
#pragma once

#include <string>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct ReproOptions {
  std::string record;
  std::string directory;
  bool keep_names = false;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_repro(CLI::App& app, ReproOptions& options);

/// Writes the case and tells what it shows. Returns limit_broken when its replay does not show the episode of
/// the record. Throws Error.
ExitCode run_repro(const ReproOptions& options);

}  // namespace xrunlab
