// `xrunlab restore`: puts back the settings of the machine that a killed run has left changed; and the line
// by which every other command tells that there are some. Called by main.
#pragma once

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct RestoreOptions {
  bool dry_run = false;
  bool forget = false;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_restore(CLI::App& app, RestoreOptions& options);

/// Prints what was put back. Returns ExitCode::system when something is not as it was found, with a line each
/// on stderr. Throws Error.
ExitCode run_restore(const RestoreOptions& options);

/// One line on stderr when settings are left changed.
void warn_of_left_settings() noexcept;

}  // namespace xrunlab
