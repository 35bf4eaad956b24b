// `xrunlab cards`: lists the PCMs that can be played to and what they accept. Called by main.
#pragma once

#include <string>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct CardsOptions {
  std::string device;  ///< empty: every PCM
  std::string json;    ///< "-" for stdout, else a file; empty: a table
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_cards(CLI::App& app, CardsOptions& options);

/// Prints the list. Returns ExitCode::audio_device when the one PCM asked for cannot be had. Throws Error.
ExitCode run_cards(const CardsOptions& options);

}  // namespace xrunlab
