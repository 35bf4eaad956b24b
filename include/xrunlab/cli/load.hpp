// `xrunlab load SPEC…`: puts the machine under load until a time or a signal, and tells what was achieved.
// Also the hidden command that a load of our own is. Called by main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"
#include "xrunlab/load/load_set.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

/// The options as typed.
struct LoadOptions {
  std::vector<std::string> specs;
  std::string duration;
  std::string seed = "1";
  bool quiet = false;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_load(CLI::App& app, LoadOptions& options);

/// Returns ok when all loads were at work until the time was up or SIGINT came, limit_broken when one of
/// record lost something, 128 + n after another signal. Throws Error, Error{system} for a load that is dead.
ExitCode run_load(const LoadOptions& options);

/// `command`: the program, kWorkerCommand, SPEC, SEED and INDEX, with the figures as descriptor 3; or
/// kWorkerCommand, "touch" and SEED. Returns when the load has failed: it is ended by a signal.
int run_load_worker(const std::vector<std::string>& command);

}  // namespace xrunlab
