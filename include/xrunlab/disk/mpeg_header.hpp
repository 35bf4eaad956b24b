// Looks into the first frame of an MP3 for the number of frames in the stream, as encoders leave it in a Xing
// or Info header. Without one libsndfile estimates the length from the bit rate of the first frames. Used by
// describe_coded_file, by one thread at a time.
#pragma once

#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Whether the first MPEG frame behind any ID3 tag holds a Xing or Info header with a number of frames.
/// Throws Error{input_file} when the file cannot be read.
bool has_mpeg_length(BoundedReader& reader);

}  // namespace xrunlab
