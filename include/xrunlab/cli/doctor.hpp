// `xrunlab doctor [DIR]`: is this machine set up for audio? Called by main.
#pragma once

#include <string>

#include "xrunlab/core/error.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct DoctorOptions {
  std::string directory = ".";
  std::string priority = "f:70";
  bool quiet = false;  ///< only what is WARN or FAIL
  std::string json;    ///< "-" for stdout, else a file; empty: text
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_doctor(CLI::App& app, DoctorOptions& options);

/// Prints the findings. Returns ExitCode::limit_broken when one is FAIL. Throws Error.
ExitCode run_doctor(const DoctorOptions& options);

}  // namespace xrunlab
