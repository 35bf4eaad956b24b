#include "xrunlab/disk/coded_file.hpp"

#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "library_noise.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/mpeg_header.hpp"
#include "xrunlab/disk/ogg_pages.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/sample_extent.hpp"

namespace xrunlab {
namespace {

struct CloseSoundFile {
  void operator()(SNDFILE* file) const noexcept { sf_close(file); }
};
using SoundFile = std::unique_ptr<SNDFILE, CloseSoundFile>;

/// libsndfile reads through `reader`: given a descriptor, it closes that of a file that it does not know,
/// although told not to.
struct Input {
  BoundedReader* reader;
  Bytes position = 0;
};

sf_count_t length_of(void* user) {
  return static_cast<Input*>(user)->reader->size();
}

sf_count_t seek_in(sf_count_t offset, int whence, void* user) {
  auto& input = *static_cast<Input*>(user);
  if (whence == SEEK_CUR) offset += input.position;
  if (whence == SEEK_END) offset += input.reader->size();
  if (offset < 0) return -1;
  return input.position = offset;
}

sf_count_t tell_in(void* user) {
  return static_cast<Input*>(user)->position;
}

sf_count_t read_from(void* out, sf_count_t count, void* user) {
  auto& input = *static_cast<Input*>(user);
  auto* const bytes = static_cast<std::byte*>(out);
  sf_count_t done = 0;
  try {
    const Bytes end = std::min(count, input.reader->left_from(input.position));
    while (done < end) {
      const Bytes step = std::min(kPageBytes, end - done);
      input.reader->read(input.position, {bytes + done, static_cast<std::size_t>(step)});
      input.position += step;
      done += step;
    }
  } catch (const Error&) {
    // No exception may pass through C; libsndfile takes the short count for the end of the file.
  }
  return done;
}

/// What a file that nobody knows begins with: "'this'", or bytes in hexadecimal.
std::string first_bytes(BoundedReader& reader) {
  std::array<std::byte, 4> raw{};
  const auto count = static_cast<std::size_t>(std::min<Bytes>(reader.size(), static_cast<Bytes>(raw.size())));
  reader.read(0, std::span(raw).first(count));
  std::string characters(reinterpret_cast<const char*>(raw.data()), count);
  const bool text = std::all_of(characters.begin(), characters.end(),
                                [](char character) { return character >= 0x20 && character < 0x7f; });
  if (text) return quoted_text(characters);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex = "the bytes";
  for (std::size_t index = 0; index < count; ++index) {
    const auto byte = std::to_integer<unsigned>(raw[index]);
    hex += ' ';
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

/// What libsndfile has no words for.
void refuse_by_header(BoundedReader& reader) {
  constexpr Bytes kFlacRate = 18;  // behind "fLaC", the block's header, and sizes of blocks and frames
  const std::string magic = reader.holds(0, kFlacRate + 3) ? reader.four_characters(0) : "";
  if (magic == "fLaC" && reader.u32(kFlacRate - 1, ByteOrder::big) % (1U << 24) >> 4 == 0) {
    reader.refuse("the header says a sample rate of 0");
  }
  if (magic == "OggS" && is_flac_in_ogg(reader)) {
    reader.refuse("FLAC in Ogg, which libsndfile cannot decode",
                  "take it out of the Ogg, for example with ffmpeg -i IN -c copy OUT.flac");
  }
}

[[noreturn]] void refuse(BoundedReader& reader, const AudioFile& file, const LibraryNoise& noise) {
  refuse_by_header(reader);
  constexpr Bytes kSmallestHeader = 12;  // libsndfile has other errors for what is shorter
  const bool unknown = sf_error(nullptr) == SF_ERR_UNRECOGNISED_FORMAT || reader.size() < kSmallestHeader;
  if (unknown && file.container.empty()) {
    reader.refuse("not an audio file (starts with " + first_bytes(reader) + ")", "leave it out");
  }
  std::string reason = sf_strerror(nullptr);
  while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n')) reason.pop_back();
  const std::string magic = reader.size() >= 4 ? reader.four_characters(0) : "";
  constexpr Bytes kLongHeader = 8192;
  if ((magic == "fLaC" || magic == "OggS") && reader.size() < kLongHeader) {
    reader.refuse((magic == "fLaC" ? "a FLAC" : "an Ogg") + std::string(" header cut off, or broken (") +
                      printable_text(reason) + ")",
                  "copy it again from where it came, or leave it out");
  }
  const std::string what =
      file.codec.empty() ? "libsndfile cannot decode it" : file.codec + " cannot be decoded by libsndfile";
  reader.refuse(what + ": " + printable_text(reason) + noise.remark(), "convert it to WAV or FLAC");
}

std::string name_of(SNDFILE* sound, int format, const char* SF_FORMAT_INFO::*field) {
  SF_FORMAT_INFO info{};
  info.format = format;
  const bool known =
      sf_command(sound, SFC_GET_FORMAT_INFO, &info, sizeof info) == 0 && info.*field != nullptr;
  return known ? info.*field : "unknown";
}

std::string coded_container(SNDFILE* sound, int format) {
  switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAVEX:
      return "wav";
    case SF_FORMAT_OGG:
      return "ogg";
    case SF_FORMAT_MPEG:
      return "mp3";
    case SF_FORMAT_NIST:
      return "nist";
    default:
      return name_of(sound, format & SF_FORMAT_TYPEMASK, &SF_FORMAT_INFO::extension);
  }
}

int bits_of(int subtype) {
  switch (subtype) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
      return 8;
    case SF_FORMAT_PCM_16:
      return 16;
    case SF_FORMAT_PCM_24:
      return 24;
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT:
      return 32;
    case SF_FORMAT_DOUBLE:
      return 64;
    default:
      return 0;
  }
}

std::string codec_of(SNDFILE* sound, int format) {
  const int subtype = format & SF_FORMAT_SUBMASK;
  if ((format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC) {
    return "FLAC " + std::to_string(bits_of(subtype)) + " bit";
  }
  return name_of(sound, subtype, &SF_FORMAT_INFO::name);
}

/// SF_COUNT_MAX is libsndfile's "unknown". A broken header may claim any other length: no codec gets more
/// than this many frames out of a byte (FLAC packs 65,535 equal frames into some 12 bytes).
bool is_credible(sf_count_t frames, Bytes file_bytes) {
  constexpr Bytes kMostFramesPerByte = 65'536;
  return frames / kMostFramesPerByte <= file_bytes;
}

/// Whether the frames are those of a WAV from a pipe, as an encoder behind that pipe took them over.
bool from_a_pipe(sf_count_t frames, const AudioFile& file) {
  const Bytes frame_bytes = static_cast<Bytes>(file.channels) * ((file.valid_bits + 7) / 8);
  return frame_bytes > 0 && frames <= UINT32_MAX / frame_bytes &&
         is_pipe_size(static_cast<std::uint64_t>(frames * frame_bytes), frame_bytes);
}

}  // namespace

void describe_coded_file(BoundedReader& reader, AudioFile& file) {
  SF_VIRTUAL_IO callbacks{length_of, seek_in, read_from, nullptr, tell_in};
  Input input{&reader};
  SF_INFO info{};
  const LibraryNoise noise;
  const SoundFile sound(sf_open_virtual(&callbacks, SFM_READ, &info, &input));
  if (!sound) refuse(reader, file, noise);
  if (file.container.empty()) file.container = coded_container(sound.get(), info.format);
  file.codec = codec_of(sound.get(), info.format);
  file.valid_bits = bits_of(info.format & SF_FORMAT_SUBMASK);
  set_channels_and_rate(reader, static_cast<std::uint32_t>(std::max(info.channels, 0)), info.samplerate,
                        file);
  if (info.frames <= 0) {
    reader.refuse("no samples in it (0 frames)", "leave it out: there is nothing to play");
  }
  file.frames_known = info.frames != SF_COUNT_MAX && is_credible(info.frames, reader.size()) &&
                      !from_a_pipe(info.frames, file);
  const bool estimated = file.container == "mp3" && !has_mpeg_length(reader);
  if (estimated) file.frames_known = false;
  file.frames = file.frames_known ? info.frames : 0;
  if (reader.four_characters(0) == "OggS") warn_of_odd_pages(reader, file);
}

std::string ended_at(const AudioFile& file, Frames end) {
  const std::string text = "ended at frame " + std::to_string(end) + " of " + std::to_string(file.frames);
  const bool has_last_page = file.container == "ogg" && !file.short_input;
  return has_last_page ? text + ": its last page is there, so some before it are missing or damaged" : text;
}

}  // namespace xrunlab
