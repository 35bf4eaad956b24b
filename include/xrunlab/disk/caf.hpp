// Parses the headers of Apple's Core Audio Format.
// Used by open_audio_file.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Fills `file` from the header of  64-bit chunk sizes, desc for the format, data for the samples:a file that
/// starts with "caff". What libsndfile must decode is left without a raw_format. Throws Error{input_file}.
void parse_caf(BoundedReader& reader, LengthRule rule, AudioFile& file);

}  // namespace xrunlab
