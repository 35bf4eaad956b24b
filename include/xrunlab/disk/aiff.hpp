// Parses the headers of AIFF and AIFF-C files.
// Used by open_audio_file.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Fills `file` from the header of  big-endian chunks, COMM for the format, SSND for the samples, in any
/// order:a file that starts with FORM and holds AIFF or AIFC. What libsndfile must decode is left without a
/// raw_format. Throws Error{input_file}.
void parse_aiff(BoundedReader& reader, LengthRule rule, AudioFile& file);

}  // namespace xrunlab
