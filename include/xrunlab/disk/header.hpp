// Finds the parser for a file's header by its first four bytes. Used by open_audio_file, and directly, on
// bytes in memory, by what tests the parsers with broken headers.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Fills `file` from the header; file_bytes and path are the caller's. True when its samples are raw; false
/// when the file must be decoded, or is no audio file. Throws Error{input_file} for a broken header.
bool parse_header(BoundedReader& reader, LengthRule rule, AudioFile& file);

}  // namespace xrunlab
