// The fmt chunk that RIFF and Wave64 share: format tag, channels, rate, bits, and the longer EXTENSIBLE form.
// Used by those two parsers.
#pragma once

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

/// Reads the fmt chunk's body of `size` bytes at `body` into raw_format, codec, valid_bits, channels and rate
/// of `file`. A tag other than PCM and float leaves raw_format empty and names the tag in codec. Throws
/// Error{input_file}.
void parse_wave_format(BoundedReader& reader, Bytes body, std::uint64_t size, ByteOrder order,
                       AudioFile& file);

}  // namespace xrunlab
