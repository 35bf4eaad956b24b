// Where a file system put files: the extents that FIEMAP gives, which are what a player has to seek between.
// Used by `gen`, after the files have been synced, and by `inspect -v`.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// Lengths in bytes of a file's extents; neighbours on the disk count as one. Nothing where the file system
/// cannot say (tmpfs, overlay, FUSE). Throws Error{system} for a file that cannot be opened.
std::optional<std::vector<Bytes>> file_extents(const std::filesystem::path& path);

struct ExtentSummary {
  std::int64_t median_count = 0;  ///< extents a file
  std::int64_t max_count = 0;
  Bytes median_length = 0;  ///< over all extents of all files
};

/// Nothing when no file's extents are known. Of an even number the upper of the middle two is taken.
std::optional<ExtentSummary> summarize_extents(const std::vector<std::filesystem::path>& files);

}  // namespace xrunlab
