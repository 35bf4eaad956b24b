// Picks the SampleFormat for what a header says about its raw samples: integer or float, bits, bytes and byte
// order. Used by every header parser.
#pragma once

#include <cstdint>

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/disk/bounded_reader.hpp"

namespace xrunlab {

enum class SampleKind : std::uint8_t { integer, floating };

struct RawLayout {
  SampleKind kind = SampleKind::integer;
  int bits = 0;   ///< bits that carry sound; they stand at the top of the container
  int bytes = 0;  ///< size of the container
  ByteOrder order = ByteOrder::little;
  bool eight_bits_unsigned = false;
};

/// Sets raw_format, valid_bits and codec ("pcm") of `file`. Throws Error{input_file} for a layout that cannot
/// be played, naming it.
void set_raw_format(const BoundedReader& reader, const RawLayout& layout, AudioFile& file);

}  // namespace xrunlab
