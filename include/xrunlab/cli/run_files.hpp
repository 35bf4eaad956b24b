// Finds and reads the run files that a command is given: files, and directories with all that is below. Used
// by `compare` and `plot`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "xrunlab/experiment/run_summary.hpp"
#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

struct ReadRuns {
  std::vector<RunSummary> runs;      ///< in the order given, those of a directory by name
  std::vector<LeftOutRun> not_read;  ///< files of a directory that look like run files, but are damaged
};

/// A directory stands for every .json file below it that is a run file; others in it are passed over. Throws
/// Error{input_file} for what is named and cannot be read, is no run file, or is a directory without any.
ReadRuns read_run_files(const std::vector<std::string>& inputs);

/// The text of one file. Throws Error{input_file} when it cannot be read.
std::string read_run_text(const std::filesystem::path& path);

}  // namespace xrunlab
