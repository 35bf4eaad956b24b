// The findings of `inspect` as JSON (docs/inspect.md). Called by the command line.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/model/inspection.hpp"

namespace xrunlab {

/// One array, a file a line, ending in a newline. Strings that are not UTF-8 are escaped as in byte_text.hpp.
/// All keys are there for every file, those of `parts` when they were asked for; what is not known or does
/// not apply is null.
std::string to_json(const std::vector<FileInspection>& files, InspectionParts parts);

}  // namespace xrunlab
