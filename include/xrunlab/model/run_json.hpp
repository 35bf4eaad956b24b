// The run file: RunData to and from JSON, schema xrunlab/run/1 (docs/run-file.md, data/run-1.schema.json).
// Every number has its unit in its key.
#pragma once

#include <filesystem>
#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// The run file's text, indented by one blank, ending in a newline; histograms stand one bucket row to a line
/// at most. File names that are not UTF-8 are escaped as documented in docs/run-file.md.
std::string to_json(const RunData& run);

/// Reads a run file's text. Throws Error{input_file} naming `source`, the key and what was expected.
RunData run_from_json(const std::string& text, const std::string& source);

/// Writes through a temporary file in the same folder, fsync and rename: a reader never sees half a file.
/// Throws Error{system}.
void write_run_file(const RunData& run, const std::filesystem::path& path);

/// The same run with directories, host name, boot id and serials hidden; base names stay.
RunData redacted(RunData run);

}  // namespace xrunlab
