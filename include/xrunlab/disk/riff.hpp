// Parses the headers of the RIFF family: RIFF and RIFX (big-endian) WAVE files, and RF64 and BW64, whose ds64
// chunk holds 64-bit sizes. Used by open_audio_file.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Fills `file` from the header of a file that starts with RIFF, RIFX, RF64 or BW64. What libsndfile must
/// decode is left without a raw_format. Throws Error{input_file}.
void parse_riff(BoundedReader& reader, LengthRule rule, AudioFile& file);

}  // namespace xrunlab
