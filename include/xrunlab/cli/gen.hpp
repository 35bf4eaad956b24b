// `xrunlab gen DIR`: writes a set of test tracks, or removes one. Called by main.
#pragma once

#include <string>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

/// The options as typed; run_gen parses and checks them.
struct GenOptions {
  std::string directory;
  int tracks = 10;
  std::string rate = "44100";
  std::string format = "S24_3LE";
  std::string duration = "60s";
  int channels = 1;
  std::string container = "wav";
  std::string signal = "noise";
  std::string seed = "1";
  std::string layout = "contiguous";
  bool force = false;
  bool remove = false;
  bool quiet = false;
  bool verbose = false;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_gen(CLI::App& app, GenOptions& options);

/// Writes or removes the set and prints what was done. Returns 128 + n when signal n ended it. Throws Error.
ExitCode run_gen(const GenOptions& options);

}  // namespace xrunlab
