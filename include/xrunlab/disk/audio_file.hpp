// What the disk path must know of one audio file: where its samples lie, how long they are and in what
// format. Raw PCM (WAV, RF64, W64, AIFF, CAF, AU) is read straight from disk by these numbers; everything
// else goes through the decoder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

struct AudioFile {
  std::filesystem::path path;
  std::string container;  ///< "wav", "rf64", "w64", "aiff", "aifc", "caf", "au", "flac", "ogg", "mp3", …
  std::string codec;      ///< "pcm" for raw samples, else libsndfile's subtype name: "FLAC 24 bit", "Vorbis"
  std::optional<SampleFormat>
      raw_format;      ///< set for raw PCM: what the bytes on disk are; absent: must be decoded
  int valid_bits = 0;  ///< bits of a sample that carry sound, as the header says
  SampleRate rate;
  int channels = 0;
  Frames frames = 0;  ///< playable frames; 0 with frames_known false for a coded stream of unknown length
  bool frames_known = true;
  Bytes data_offset = 0;  ///< first byte of the samples; 0 where only libsndfile knows
  Bytes data_bytes = 0;   ///< raw PCM: frames * channels * bytes per sample; coded: as the header says
  Bytes file_bytes = 0;   ///< from fstat
  std::vector<std::string> warnings;
  bool short_input = false;  ///< the header promised more than is there

  bool decoded() const noexcept { return !raw_format.has_value(); }
  Bytes frame_bytes() const noexcept {
    return raw_format ? static_cast<Bytes>(bytes_per_sample(*raw_format)) * channels : 0;
  }
};

/// Whether a length of 0, an unknown one or one that has wrapped at 4 GiB is believed, or gives way to the
/// bytes that are there.
enum class LengthRule : std::uint8_t { believe_header, take_what_is_there };

/// Reads the header only, a page at a time, so that the samples stay out of the page cache. Throws
/// Error{input_file} with the base name, the cause and the remedy.
AudioFile open_audio_file(const std::filesystem::path& path, LengthRule rule = LengthRule::believe_header);

/// A file as given; a directory stands for its audio files, sorted by name (by extension, not recursive,
/// dot-files left out). Throws Error{input_file} for what is missing, and for a directory that cannot be read
/// or has no audio files.
std::vector<std::filesystem::path> expand_input(const std::filesystem::path& input);

/// The same for all of `inputs`. Throws Error{input_file} also for what is unreadable or no regular file.
std::vector<std::filesystem::path> expand_inputs(const std::vector<std::filesystem::path>& inputs);

}  // namespace xrunlab
