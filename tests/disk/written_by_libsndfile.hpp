// Writes short coded files with libsndfile for tests.
#pragma once

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab::test {

/// As in "wav_ulaw", for the names of tests.
inline std::string format_name(int format) {
  const std::map<int, std::string> containers{{SF_FORMAT_WAV, "wav"},   {SF_FORMAT_WAVEX, "wavex"},
                                              {SF_FORMAT_FLAC, "flac"}, {SF_FORMAT_OGG, "ogg"},
                                              {SF_FORMAT_MPEG, "mpeg"}, {SF_FORMAT_AIFF, "aiff"}};
  const std::map<int, std::string> codecs{
      {SF_FORMAT_PCM_16, "16"},     {SF_FORMAT_PCM_24, "24"},   {SF_FORMAT_VORBIS, "vorbis"},
      {SF_FORMAT_OPUS, "opus"},     {SF_FORMAT_ULAW, "ulaw"},   {SF_FORMAT_ALAW, "alaw"},
      {SF_FORMAT_IMA_ADPCM, "ima"}, {SF_FORMAT_MS_ADPCM, "ms"}, {SF_FORMAT_MPEG_LAYER_III, "3"}};
  return containers.at(format & SF_FORMAT_TYPEMASK) + "_" + codecs.at(format & SF_FORMAT_SUBMASK);
}

/// A file of `frames` frames of two tones and noise at 48 kHz in `format`, SF_FORMAT_FLAC | SF_FORMAT_PCM_24
/// and so on.
inline std::filesystem::path write_coded(const std::filesystem::path& path, int format, Frames frames,
                                         int channels = 2) {
  SF_INFO info{};
  info.samplerate = 48000;
  info.channels = channels;
  info.format = format;
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  if (file == nullptr) throw std::runtime_error(sf_strerror(nullptr));
  std::vector<float> samples(static_cast<std::size_t>(frames * channels));
  std::uint32_t noise = 1;
  for (std::size_t index = 0; index < samples.size(); ++index) {
    noise = noise * 1664525 + 1013904223;  // keeps the codecs from packing seconds into a few bytes
    const auto channel = static_cast<double>(index % static_cast<std::size_t>(channels));
    const auto frame = static_cast<double>(index / static_cast<std::size_t>(channels));
    samples[index] =
        static_cast<float>(0.5 * std::sin(frame * (0.05 + 0.02 * channel)) + noise * 0.2 / 4294967296.0);
  }
  // Some of libsndfile's encoders put a block of any size on their stack.
  constexpr Frames kAtOnce = 1024;
  for (Frames done = 0; done < frames; done += kAtOnce) {
    sf_writef_float(file, samples.data() + done * channels, std::min(kAtOnce, frames - done));
  }
  sf_close(file);
  return path;
}

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

}  // namespace xrunlab::test
