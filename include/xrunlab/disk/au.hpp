// Parses the headers of AU (.snd) files, in both byte orders.
// Used by open_audio_file.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Fills `file` from the header of a file that starts with ".snd" or "dns.". What libsndfile must
/// decode is left without a raw_format. Throws Error{input_file}.
void parse_au(BoundedReader& reader, LengthRule rule, AudioFile& file);

}  // namespace xrunlab
