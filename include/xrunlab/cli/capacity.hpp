// `xrunlab capacity`: how many tracks, how small a ring or a fragment this machine plays without a dropout.
// Called by main.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {

/// The options as typed; capacity_request parses and checks them.
struct CapacityOptions {
  std::string directory = ".";
  std::string by = "tracks";
  std::string set = "48k/24/1";
  int confirm = 5;
  std::int64_t max_tracks = 4096;
  std::optional<int> tracks;
  bool table = false;
  std::string formats = "44.1k/16/1,48k/24/1,96k/24/1,192k/32/1";
  std::string fragments = "64,256,1024";
  std::string rings = "1s,5s";
  std::string runs;
  bool keep = false;
  bool force = false;
  bool quiet = false;
  bool dry_run = false;
  std::string json;  ///< "-" for stdout, else a file; empty: none

  PlayOptions play;                     ///< as far as they were given; for checks
  std::vector<std::string> play_words;  ///< the same as words for `play`, each "--name" or "--name=value"
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_capacity(CLI::App& app, CapacityOptions& options);

/// Returns ok when the answer was found, limit_broken when there is none or it is undecided, 128 + n when
/// signal n ended it. Throws Error.
int run_capacity(const CapacityOptions& options, const std::vector<std::string>& cmdline);

}  // namespace xrunlab
