// The findings of `inspect` as a table for people: at most 80 columns unless a name or a format is long.
// Called by the command line.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/model/inspection.hpp"

namespace xrunlab {

/// A row a file, by base name, with lines below it for what `parts` adds, and last how many can be played.
/// The texts of errors and warnings are not in it.
std::string inspection_table(const std::vector<FileInspection>& files, InspectionParts parts);

}  // namespace xrunlab
