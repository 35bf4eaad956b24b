// Looks at the pages of an Ogg file for what libsndfile passes over in silence: a missing end, a second
// stream behind the first, missing pages; and for FLAC, which it cannot read in there. Used by
// describe_coded_file, by one thread at a time.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Whether the first stream is FLAC. Throws Error{input_file} when the file cannot be read.
bool is_flac_in_ogg(BoundedReader& reader);

/// Adds warnings to `file`, whose frames are set. Reads the first pages, the last 64 KiB and, of a longer
/// file, a few pages between: what is missing there only decoding tells. Throws Error{input_file} when the
/// file cannot be read.
void warn_of_odd_pages(BoundedReader& reader, AudioFile& file);

}  // namespace xrunlab
