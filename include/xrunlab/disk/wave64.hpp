// Parses the header of Sony Wave64 files: chunks with GUIDs, 64-bit sizes that include the chunk's own
// header, and starts at multiples of 8 bytes. Used by open_audio_file.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Fills `file` from the header of a file that starts with "riff". What libsndfile must decode is left
/// without a raw_format. Throws Error{input_file}.
void parse_wave64(BoundedReader& reader, LengthRule rule, AudioFile& file);

}  // namespace xrunlab
