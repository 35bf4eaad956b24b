// The run file: RunData to and from JSON, schema xrunlab/run/1 (docs/run-file.md, data/run-1.schema.json).
// Every number has its unit in its key. Used by the engine's caller and by every reader of run files.
#pragma once

#include <string>

#include "xrunlab/model/redact.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/model/run_file.hpp"

namespace xrunlab {

inline constexpr const char* kRunSchema = "xrunlab/run/1";

/// The run file's text, indented by one blank, ending in a newline; what is flat inside a list (a histogram's
/// row, an input, a window) stands on one line. Strings that are not UTF-8 are escaped as in byte_text.hpp;
/// a number that is not finite is written as 0.
std::string to_json(const RunData& run);

/// Reads a run file's text; keys that it does not know are passed over, derived ones are not read. Throws
/// Error{input_file} naming `source`, the key and what was expected.
RunData run_from_json(const std::string& text, const std::string& source);

}  // namespace xrunlab
