#include "xrunlab/disk/sample_extent.hpp"

#include <algorithm>
#include <cmath>

#include "xrunlab/disk/chunk.hpp"

namespace xrunlab {
namespace {

std::string plural(std::uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

void warn_of_cut(const SampleExtent& extent, std::uint64_t available, AudioFile& file) {
  file.short_input = true;
  file.warnings.push_back("cut off: the " + extent.where + " says " + plural(*extent.declared, "byte") +
                          ", " + std::to_string(available) + " are there");
}

[[noreturn]] void refuse_unfinished(const BoundedReader& reader, const SampleExtent& extent,
                                    std::uint64_t available, const std::string& remedy) {
  reader.refuse("the " + extent.where + " says 0 bytes, but " + std::to_string(available) +
                    " follow: the recording was not finished",
                remedy);
}

[[noreturn]] void refuse_empty(const BoundedReader& reader, const AudioFile& file) {
  if (file.short_input) {
    reader.refuse("the file ends before its first frame: it was cut off",
                  "copy it again from where it came, or leave it out");
  }
  reader.refuse("no samples in it (0 frames)", "leave it out: there is nothing to play");
}

/// Where a recorder writes its lengths now and then and dies between, what came last stands behind them.
std::uint64_t with_stray_bytes(std::uint64_t declared, std::uint64_t available, LengthRule rule,
                               AudioFile& file) {
  constexpr std::uint64_t kChunkHeader = 8;
  if (available - declared <= kChunkHeader) return declared;
  if (rule == LengthRule::take_what_is_there) return available;
  const auto frame = static_cast<std::uint64_t>(file.frame_bytes());
  file.warnings.push_back(plural(available - declared, "byte") +
                          " behind the samples are no chunk (recorder died? --ignore-length plays " +
                          plural(available / frame, "frame") + ")");
  return declared;
}

/// The number of bytes to play of the `available` ones, before it is cut to whole frames.
std::uint64_t believed_bytes(const BoundedReader& reader, const SampleExtent& extent, std::uint64_t available,
                             LengthRule rule, AudioFile& file) {
  const auto frame = static_cast<std::uint64_t>(file.frame_bytes());
  const bool ignore = rule == LengthRule::take_what_is_there;
  if (!extent.declared) return available;
  const std::uint64_t declared = *extent.declared;
  if (declared > available) {
    warn_of_cut(extent, available, file);
    return available;
  }
  if (declared == 0 && !extent.chunk_behind && available >= frame) {
    if (ignore) return available;
    refuse_unfinished(reader, extent, available,
                      "--ignore-length plays the " + plural(available / frame, "frame") + " that are there");
  }
  if (extent.wraps && !extent.chunk_behind && available - declared >= kWrapBytes) {
    const std::uint64_t all = extent.unwrapped.value_or(available);
    if (ignore) return all;
    file.warnings.push_back("the " + extent.where + " says " + plural(declared, "byte") + ", " +
                            std::to_string(available) +
                            " are there: the size has wrapped at 4 GiB (--ignore-length plays all " +
                            plural(all / frame, "frame") + ")");
    return declared;
  }
  return extent.stray_bytes ? with_stray_bytes(declared, available, rule, file) : declared;
}

void settle_coded(const BoundedReader& reader, const SampleExtent& extent, std::uint64_t available,
                  AudioFile& file) {
  const std::uint64_t declared = extent.declared.value_or(available);
  if (declared > available) warn_of_cut(extent, available, file);
  if (available == 0 || (declared == 0 && extent.chunk_behind)) refuse_empty(reader, file);
  if (declared == 0) {
    refuse_unfinished(reader, extent, available,
                      "mend its header, for example with sox --ignore-length IN.wav OUT.wav");
  }
  file.data_offset = extent.offset;
  file.data_bytes = static_cast<Bytes>(std::min(declared, available));
}

}  // namespace

bool is_pipe_size(std::uint64_t size, Bytes frame_bytes) noexcept {
  const auto frame = static_cast<std::uint64_t>(std::max<Bytes>(frame_bytes, 1));
  const auto within = [size, frame](std::uint64_t least, std::uint64_t most) {
    return size + frame > least && size < most + frame;
  };
  return within(0xffff'f000, 0xffff'ffff) || within(0x7fff'f000, 0x8000'0000) ||
         within(0x7f00'0000, 0x7f00'0000);
}

bool is_endless(std::uint64_t size) noexcept {
  constexpr std::uint64_t kHeaders = 1 << 16;
  return size >= static_cast<std::uint64_t>(INT64_MAX) - kHeaders;
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
  if (!file.raw_format) {
    settle_coded(reader, extent, available, file);
    return;
  }
  const auto frame = static_cast<std::uint64_t>(file.frame_bytes());
  const std::uint64_t bytes = believed_bytes(reader, extent, available, rule, file);
  const std::uint64_t frames = bytes / frame;
  if (frames == 0) refuse_empty(reader, file);
  if (const std::uint64_t odd = bytes % frame; odd != 0) {
    file.warnings.push_back("the last frame is incomplete: " + plural(odd, "odd byte") + " left out");
  }
  file.frames = static_cast<Frames>(frames);
  file.frames_known = true;
  file.data_offset = extent.offset;
  file.data_bytes = static_cast<Bytes>(frames * frame);
}

}  // namespace xrunlab
