// From the options of `sweep` as typed, or from a directory that it goes on with, to the sweep that is meant.
// Used by `sweep` before anything is run.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/cli/sweep.hpp"
#include "xrunlab/model/sweep_manifest.hpp"
#include "xrunlab/platform/setting_catalogue.hpp"

namespace xrunlab {

struct SweepRequest {
  SweepManifest manifest;
  std::vector<std::string> notes;  ///< old names that were mapped, one line each
};

/// A new sweep. Throws Error{usage}. `scheduler=all` stands as the one value "all".
SweepRequest parse_sweep(const SweepOptions& options);

/// Throws Error{usage} for options that cannot go with --resume, because what they say stands in sweep.json.
void check_resume_options(const SweepOptions& options);

/// Throws Error{usage} for a number of runs (-n) that no sweep can have.
void check_run_count(int runs);

/// Throws Error{usage} for keys and values that parse_sweep would not have accepted: sweep.json comes from
/// outside.
void check_sweep(const SweepManifest& sweep);

/// The keys and values of one combination, the varied ones first.
std::vector<SweepFix> settings_of(const SweepManifest& sweep, const std::vector<std::string>& combination);

/// Those of them that are settings of the machine, or the reader's I/O priority.
std::vector<SettingValue> machine_settings(const std::vector<SweepFix>& settings);

/// One line for a shell that makes this one run: `xrunlab sweep --only N …`.
std::string only_command(const SweepManifest& sweep, int number, const std::string& directory);

}  // namespace xrunlab
