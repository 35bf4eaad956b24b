// The bytes around the samples of a file that we write: WAV, RF64, W64, AIFF and AIFF-C headers made by our
// own code, so that they are plain (16-byte fmt, no EXTENSIBLE), minimal and the same everywhere. Used by the
// set writer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// header, then data_bytes of samples in `format`, then trailer_bytes zeros.
struct ContainerLayout {
  std::vector<std::byte> header;
  SampleFormat format = SampleFormat::s16_le;
  Bytes data_bytes = 0;
  Bytes trailer_bytes = 0;

  Bytes file_bytes() const noexcept { return static_cast<Bytes>(header.size()) + data_bytes + trailer_bytes; }
};

/// What `format` (one of U8 S16_LE S24_3LE S32_LE FLOAT_LE) becomes in that container: AIFF is big-endian,
/// its 8 bits are signed.
SampleFormat container_format(std::string_view container, SampleFormat format) noexcept;

/// `container` is wav, rf64, w64 or aiff. Throws Error{usage} where the file would pass the container's size
/// limit (4 GiB for wav and aiff), naming the one that has none.
ContainerLayout lay_out_container(const std::string& container, SampleFormat format, SampleRate rate,
                                  int channels, Frames frames);

}  // namespace xrunlab
