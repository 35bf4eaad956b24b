// `xrunlab replay RECORD [PLAY-OPTIONS]`: plays a recorded run again, without its files and its disk. Called
// by main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/engine/replay_setup.hpp"

namespace xrunlab {

struct ReplayOptions {
  std::string record;
  bool in_virtual_time = false;
  PlayOptions play;
  ReplayChanges changes;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_replay(CLI::App& app, ReplayOptions& options);

/// Returns 0 when it stayed within the limits, 1 when one was broken, else as `play`: 128 + n after signal n.
/// `cmdline` is what was typed, for the run file. Throws Error.
int run_replay(const ReplayOptions& options, const std::vector<std::string>& cmdline);

}  // namespace xrunlab
