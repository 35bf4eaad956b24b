// Puts a run file on disk so that a reader never sees half of one. Called by main after a run.
#pragma once

#include <filesystem>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Writes through a temporary file in the same folder, fsync and rename. A link is followed; a pipe or a
/// device is written to directly. Throws Error{system}.
void write_run_file(const RunData& run, const std::filesystem::path& path);

}  // namespace xrunlab
