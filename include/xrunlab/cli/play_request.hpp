// From the options of `play` as typed to what a run is asked to be.
#pragma once

#include <filesystem>
#include <vector>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/disk/set_spec.hpp"
#include "xrunlab/engine/stream_request.hpp"

namespace xrunlab {

/// Everything but the files. Throws Error{usage}.
StreamRequest parse_play(const PlayOptions& options);

/// The set that --tracks asks for. Throws Error{usage}.
SetSpec parse_temporary_set(const PlayOptions& options, const StreamRequest& request);

/// Opens the headers of `inputs`, directories expanded. Throws Error{input_file}.
std::vector<AudioFile> open_files(const std::vector<std::filesystem::path>& inputs, bool ignore_length);

}  // namespace xrunlab
