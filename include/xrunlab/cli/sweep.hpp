// `xrunlab sweep`: plays the same set with all combinations of some settings, again and again in random
// order, and compares. Called by main.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

/// The options as typed; sweep_request parses and checks them.
struct SweepOptions {
  std::vector<std::string> vary;
  std::vector<std::string> fix;
  std::optional<int> runs;
  std::optional<int> warm_ups;
  std::optional<std::string> cool_down;
  std::optional<std::string> prepare;
  std::optional<std::string> seed;
  std::string sweep_id;
  std::string directory;
  std::optional<int> only;
  bool resume = false;
  bool dry_run = false;
  bool force_inert = false;
  bool quiet = false;
  std::vector<std::string> play;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_sweep(CLI::App& app, SweepOptions& options);

/// Returns ok when every run of the plan is recorded, whatever their verdicts, and 128 + n when signal n
/// ended it. Throws Error, also with the exit code of a run that failed.
ExitCode run_sweep(const SweepOptions& options);

}  // namespace xrunlab
