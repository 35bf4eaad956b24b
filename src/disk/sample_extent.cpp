#include "xrunlab/disk/sample_extent.hpp"

#include <algorithm>
#include <cmath>

namespace xrunlab {
namespace {

constexpr std::uint64_t kWrapBytes = std::uint64_t{1} << 32;  // where a 32-bit size starts again at 0

std::string plural(std::uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

/// The number of bytes to play of the `available` ones, before it is cut to whole frames.
std::uint64_t believed_bytes(const BoundedReader& reader, const SampleExtent& extent, std::uint64_t available,
                             LengthRule rule, AudioFile& file) {
  const auto frame = static_cast<std::uint64_t>(file.frame_bytes());
  const bool ignore = rule == LengthRule::take_what_is_there;
  if (!extent.declared) return available;
  const std::uint64_t declared = *extent.declared;
  if (declared > available) {
    file.short_input = true;
    file.warnings.push_back("cut off: the " + extent.where + " says " + plural(declared, "byte") + ", " +
                            std::to_string(available) + " are there");
    return available;
  }
  if (declared == 0 && !extent.chunk_behind && available >= frame) {
    if (ignore) return available;
    reader.refuse("the " + extent.where + " says 0 bytes, but " + std::to_string(available) +
                      " follow: the recording was not finished",
                  "--ignore-length plays the " + plural(available / frame, "frame") + " that are there");
  }
  if (extent.wraps && !extent.chunk_behind && available - declared >= kWrapBytes) {
    if (ignore) return available;
    file.warnings.push_back("the " + extent.where + " says " + plural(declared, "byte") + ", " +
                            std::to_string(available) +
                            " are there: the size has wrapped at 4 GiB (--ignore-length plays all)");
  }
  return declared;
}

}  // namespace

bool is_pipe_size(std::uint32_t size) noexcept {
  return size >= 0xffff'f000U || (size >= 0x7fff'f000U && size <= 0x8000'0000U);
}

void set_channels_and_rate(const BoundedReader& reader, std::uint32_t channels, double rate_hz,
                           AudioFile& file) {
  constexpr std::uint32_t kMostChannels = 1024;
  constexpr double kHighestRate = 10e6;
  if (channels == 0) reader.refuse("the header says 0 channels");
  if (channels > kMostChannels) {
    reader.refuse("the header says " + std::to_string(channels) + " channels; at most 1024 can be played");
  }
  if (rate_hz == 0) reader.refuse("the header says a sample rate of 0");
  if (!(rate_hz >= 1 && rate_hz <= kHighestRate)) {
    reader.refuse("the header says an impossible sample rate (1 Hz to 10 MHz can be played)");
  }
  const double whole = std::round(rate_hz);
  if (whole != rate_hz) {
    file.warnings.push_back("the sample rate is no whole number: " +
                            std::to_string(static_cast<std::uint32_t>(whole)) + " Hz is taken");
  }
  file.channels = static_cast<int>(channels);
  file.rate = SampleRate{static_cast<std::uint32_t>(whole)};
}

void settle_extent(const BoundedReader& reader, const SampleExtent& extent, LengthRule rule,
                   AudioFile& file) {
  const auto available = static_cast<std::uint64_t>(reader.left_from(extent.offset));
  const auto frame = static_cast<std::uint64_t>(file.frame_bytes());
  const std::uint64_t bytes = believed_bytes(reader, extent, available, rule, file);
  const std::uint64_t frames = bytes / frame;
  if (frames == 0) {
    if (file.short_input) reader.refuse("the file ends before its first frame: it was cut off");
    reader.refuse("no samples in it (0 frames)");
  }
  if (const std::uint64_t odd = bytes % frame; odd != 0) {
    file.warnings.push_back("the last frame is incomplete: " + plural(odd, "odd byte") + " left out");
  }
  file.frames = static_cast<Frames>(frames);
  file.frames_known = true;
  file.data_offset = extent.offset;
  file.data_bytes = static_cast<Bytes>(frames * frame);
}

}  // namespace xrunlab
