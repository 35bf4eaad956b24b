// One input file opened for streaming: with O_DIRECT and its alignment where that is asked for and to be had,
// else buffered.
#pragma once

#include <filesystem>
#include <string>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

enum class DirectMode { off, on, automatic };

struct TrackFile {
  UniqueFd fd;
  bool direct = false;
  Bytes alignment = kPageBytes;  ///< of file offsets, sizes and memory; at least a page
  std::string refusal;           ///< why direct was wanted and is not used; empty otherwise
};

/// `automatic` uses O_DIRECT where statx names an alignment. Throws Error{input_file} when the file cannot be
/// opened, and Error{system} when `on` cannot be had.
TrackFile open_track_file(const std::filesystem::path& path, DirectMode mode);

}  // namespace xrunlab
