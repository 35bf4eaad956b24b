// Puts a run file, or another result, on disk so that a reader never sees half of one. Called by main before
// and after a run.
#pragma once

#include <filesystem>
#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// How most results are asked for, as their remedies name it.
inline constexpr const char* kJsonOption = "--json=FILE";

/// Throws Error{system} where write_run_file could not put a file, so that it is known before a run.
void check_run_file(const std::filesystem::path& path);

/// Writes through a temporary file in the same folder, fsync and rename. A link is followed; a pipe or a
/// device is written to directly. Throws Error{system} whose remedy names `option`, which gave the place.
void write_run_file(const RunData& run, const std::filesystem::path& path,
                    const std::string& option = kJsonOption);

/// The same for other JSON.
void write_json_file(const std::string& text, const std::filesystem::path& path);

/// The two for any content, with the option that gave `path` in the remedy: "-o".
void check_output_place(const std::filesystem::path& path, const std::string& option);
void write_whole_file(const std::string& bytes, const std::filesystem::path& path, const std::string& option);

}  // namespace xrunlab
