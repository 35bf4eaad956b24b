// What a generated set of tracks is to be, and what follows from it: names, sizes and whether it is possible.
// Used by `gen`, by `play --tracks` and by the set writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/signal.hpp"

namespace xrunlab {

/// How the files lie on the disk.
enum class Layout : std::uint8_t {
  contiguous,   ///< one file after the other, its space allocated at once
  interleaved,  ///< all files grow together by one block at a time with O_DIRECT, as a recording does
};

std::string_view to_string(Layout layout) noexcept;
std::optional<Layout> layout_from(std::string_view name) noexcept;

/// What an interleaved set grows by, a file at a time: 65,536 samples of four bytes, about 1.4 s of a mono
/// track at 48 kHz, is what recorders write at once.
inline constexpr Bytes kInterleaveBytes = 256 * 1024;

struct SetSpec {
  int tracks = 10;  ///< 1 … 10,000
  SampleRate rate{44100};
  SampleFormat format = SampleFormat::s24_3le;  ///< U8 S16_LE S24_3LE S32_LE FLOAT_LE
  Nanoseconds duration = std::chrono::seconds{60};
  int channels = 1;               ///< of each track, 1 … 1024
  std::string container = "wav";  ///< wav rf64 w64 aiff flac
  Signal signal = Signal::noise;
  std::uint64_t seed = 1;
  Layout layout = Layout::contiguous;

  /// Frames of each track, the duration rounded up.
  Frames frames() const noexcept { return duration_to_frames_ceil(duration, rate); }
};

/// "48k/24/1": rate, bits (8 16 24 32, or f for 32-bit float) and channels; the rest as SetSpec's defaults.
/// Throws Error{usage}.
SetSpec parse_set(std::string_view text);

/// Throws Error{usage} where no such set can be: a range, an unknown container, what FLAC cannot hold, a file
/// over the container's size limit.
void check_set(const SetSpec& spec);

/// "track-001.wav" for index 0; the number is as wide as the greatest one, at least 3 digits.
std::string track_name(const SetSpec& spec, int track_index);

/// Size of one file; for FLAC the most that it can become.
Bytes track_file_bytes(const SetSpec& spec);

}  // namespace xrunlab
