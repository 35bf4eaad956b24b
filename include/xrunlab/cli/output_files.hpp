// Refuses outputs that would destroy something (an input, or a file that is no output of ours) or cannot be
// written. Called by `play` and `inspect` before anything is opened for writing.
#pragma once

#include <filesystem>
#include <vector>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/disk/audio_file.hpp"

namespace xrunlab {

/// Throws Error{usage} when --json, --record or the simulated card's capture= is one of the inputs, by
/// whatever name, and when --record names what is there and is neither empty nor a trace, or is a pipe or a
/// directory; Error{system} or Error{audio_device} when a trace or a capture cannot be written there.
void check_outputs(const PlayOptions& options, const std::vector<AudioFile>& inputs);

/// Throws Error{usage}, naming `option`, when `output` is the same file as `input`, by whatever name.
void check_not_this_input(const char* option, const std::filesystem::path& output,
                          const std::filesystem::path& input);

}  // namespace xrunlab
