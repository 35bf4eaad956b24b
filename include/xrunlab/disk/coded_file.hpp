// Asks libsndfile what a file is that must be decoded: FLAC, Ogg, MP3, µ-law or ADPCM in WAV, and whatever
// else it knows. Used by open_audio_file, by one thread at a time.
#pragma once

#include <string>

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Fills container, codec, valid_bits, rate, channels and frames of `file` from what `reader` reads. A
/// container and codec that a header parser has already named are used in messages. A length that is not in
/// the file, or that cannot be true, gives frames 0 and frames_known false. Throws Error{input_file}.
void describe_coded_file(BoundedReader& reader, AudioFile& file);

/// The warning about a file whose samples ended before its length: "ended at frame 256 of 1024", and of an
/// Ogg file whose last page is there that what is missing lies before it.
std::string ended_at(const AudioFile& file, Frames end);

}  // namespace xrunlab
