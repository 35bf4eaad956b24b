#include "xrunlab/disk/set_spec.hpp"

#include <algorithm>
#include <array>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/container.hpp"

namespace xrunlab {
namespace {

constexpr std::array<std::string_view, 2> kLayoutNames{"contiguous", "interleaved"};
constexpr std::array<std::string_view, 5> kContainers{"wav", "rf64", "w64", "aiff", "flac"};
constexpr std::array kFormats{SampleFormat::u8, SampleFormat::s16_le, SampleFormat::s24_3le,
                              SampleFormat::s32_le, SampleFormat::f32_le};

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::usage, what, remedy);
}

std::optional<SampleFormat> format_of_bits(std::string_view bits) {
  if (bits == "8") return SampleFormat::u8;
  if (bits == "16") return SampleFormat::s16_le;
  if (bits == "24") return SampleFormat::s24_3le;
  if (bits == "32") return SampleFormat::s32_le;
  if (bits == "f") return SampleFormat::f32_le;
  return std::nullopt;
}

/// FLAC's own limits: 24 bits (libFLAC below 1.4 has no 32), 8 channels, 20 bits of rate.
void check_flac(const SetSpec& spec) {
  const std::string format(to_string(spec.format));
  if (is_float(spec.format) || significant_bits(spec.format) > 24) {
    refuse("--container flac holds no " + format, "write -f U8, S16_LE or S24_3LE, or --container wav");
  }
  if (spec.channels > 8) {
    refuse("--container flac holds 8 channels a track, not " + std::to_string(spec.channels),
           "write --channels 8 or --container wav");
  }
  if (spec.rate.hz > 655'350) {
    refuse("--container flac holds rates up to 655350 Hz, not " + std::to_string(spec.rate.hz),
           "write a lower -r or --container wav");
  }
  if (spec.layout == Layout::interleaved) {
    refuse("--layout interleaved needs files of known size, which flac is not",
           "write --container wav, or leave --layout out");
  }
}

}  // namespace

std::string_view to_string(Layout layout) noexcept {
  return kLayoutNames[static_cast<std::size_t>(layout)];
}

std::optional<Layout> layout_from(std::string_view name) noexcept {
  for (std::size_t index = 0; index < kLayoutNames.size(); ++index) {
    if (kLayoutNames[index] == name) return static_cast<Layout>(index);
  }
  return std::nullopt;
}

SetSpec parse_set(std::string_view text) {
  const auto first = text.find('/');
  const auto second = first == std::string_view::npos ? first : text.find('/', first + 1);
  if (second == std::string_view::npos) {
    refuse("--set: '" + std::string(text) + "' is not a set: write rate/bits/channels, such as 48k/24/1", "");
  }
  SetSpec spec;
  spec.rate = parse_rate("--set", text.substr(0, first));
  const auto bits = text.substr(first + 1, second - first - 1);
  const auto format = format_of_bits(bits);
  if (!format) {
    refuse("--set: '" + std::string(bits) + "' is not 8, 16, 24, 32 or f (float) bits",
           "write it as 48k/24/1 or 48k/f/2");
  }
  spec.format = *format;
  spec.channels = static_cast<int>(parse_integer("--set", text.substr(second + 1), 1, 1024));
  return spec;
}

void check_set(const SetSpec& spec) {
  if (spec.tracks < 1 || spec.tracks > 10'000) {
    refuse("--tracks " + std::to_string(spec.tracks) + " is not from 1 to 10000", "");
  }
  if (spec.channels < 1 || spec.channels > 1024) {
    refuse("--channels " + std::to_string(spec.channels) + " is not from 1 to 1024", "");
  }
  if (spec.rate.hz < 1) refuse("a rate of 0 Hz is none", "write -r 44100");
  if (std::find(kFormats.begin(), kFormats.end(), spec.format) == kFormats.end()) {
    refuse("no set is written in format " + std::string(to_string(spec.format)),
           "write -f U8, S16_LE, S24_3LE, S32_LE or FLOAT_LE");
  }
  if (spec.frames() < 1) refuse("a track of no frames is none", "write a longer -d");
  // With the most channels and tracks the bytes of the set still fit 63 bits.
  if (spec.frames() > Frames{1} << 36) refuse("the tracks are too long", "write a shorter -d");
  if (std::find(kContainers.begin(), kContainers.end(), spec.container) == kContainers.end()) {
    refuse("--container '" + spec.container + "' is unknown", "write wav, rf64, w64, aiff or flac");
  }
  if (spec.container == "flac") {
    check_flac(spec);
  } else {
    lay_out_container(spec.container, spec.format, spec.rate, spec.channels, spec.frames());
  }
}

std::string track_name(const SetSpec& spec, int track_index) {
  const std::string number = std::to_string(track_index + 1);
  const std::size_t width = std::max<std::size_t>(3, std::to_string(spec.tracks).size());
  const std::string zeros(width - std::min(width, number.size()), '0');
  const std::string extension = spec.container == "rf64" ? "wav" : spec.container;
  return "track-" + zeros + number + "." + extension;
}

Bytes track_file_bytes(const SetSpec& spec) {
  if (spec.container == "flac") {
    const Bytes samples = spec.frames() * spec.channels * bytes_per_sample(spec.format);
    return samples + samples / 64 +
           64 * 1024;  // noise is stored as it is, plus frame headers and a seek table
  }
  return lay_out_container(spec.container, spec.format, spec.rate, spec.channels, spec.frames()).file_bytes();
}

}  // namespace xrunlab
