// `xrunlab disk FILE…`: what files lie on, from the file system down to the disks. Called by main.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct DiskOptions {
  std::vector<std::string> files;
  std::string json;  ///< "-" for stdout, else a file; empty: text
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_disk(CLI::App& app, DiskOptions& options);

/// Prints what was found. Returns ExitCode::input_file when one of the files cannot be looked at; the others
/// are shown all the same. Throws Error.
ExitCode run_disk(const DiskOptions& options);

}  // namespace xrunlab
