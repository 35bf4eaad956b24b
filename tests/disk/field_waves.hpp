// Files of the RIFF family as people have them, and what each must come to: written by many programs,
// unfinished, cut, or broken. Part of field_files.hpp.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tests/disk/audio_bytes.hpp"

namespace xrunlab::test {

struct FieldFile {
  std::string name = {};
  AudioBytes bytes = {};
  SampleFormat format = SampleFormat::s16_le;
  std::int64_t frames = 1000;  ///< 0: must be refused
  int channels = 2;
  std::int64_t offset = -1;   ///< of the first sample; -1: not looked at
  std::string text = {};      ///< part of the only warning, or of the refusal; empty: no warning
  std::string remedy = {};    ///< part of the refusal's remedy
  std::int64_t ignoring = 0;  ///< frames with --ignore-length; 0: as without
  int valid_bits = 0;         ///< 0: as the format has
  unsigned rate = 48000;
};

/// What GoogleTest says of a file in a failure.
inline void PrintTo(const FieldFile& file, std::ostream* out) {
  *out << file.name;
}

inline WaveFormat wave_format(unsigned tag, unsigned channels, unsigned bits, unsigned rate = 48000) {
  return {tag, channels, rate, bits, 0};
}

/// The bytes up to `end`.
inline AudioBytes cut(const AudioBytes& bytes, std::size_t end) {
  return AudioBytes{}.text(bytes.bytes().substr(0, end));
}

/// A WAV whose sizes stand as given, with `before` between fmt and data.
inline AudioBytes wav_of_sizes(std::uint32_t riff_size, std::uint32_t data_size, const AudioBytes& samples,
                               const AudioBytes& before = {}, const AudioBytes& fmt = fmt16()) {
  AudioBytes out;
  out.text("RIFF").le(4, riff_size).text("WAVE").chunk_le("fmt ", fmt).add(before);
  return out.text("data").le(4, data_size).add(samples);
}

inline AudioBytes list_info() {
  AudioBytes info;
  info.text("INFOISFT").le(4, 14).text("Lavf58.29.100").u8(0);
  return AudioBytes{}.chunk_le("LIST", info);
}

inline AudioBytes zero_adtl(std::size_t zeros) {
  return AudioBytes{}.chunk_le("LIST", AudioBytes{}.text("adtl").zeros(zeros));
}

inline void add_sound_waves(std::vector<FieldFile>& files) {
  using enum SampleFormat;
  const AudioBytes samples = ramp(s16_le);
  const AudioBytes tail = AudioBytes{}.text("signature of a tool, and no chunk");
  files.push_back({.name = "plain.wav", .bytes = wav(fmt16(), samples), .offset = 44});
  files.push_back({.name = "fmt-18.wav", .bytes = wav(fmt18(), samples), .offset = 46});
  files.push_back({.name = "fmt-20.wav", .bytes = wav(fmt18().le(2, 0), samples), .offset = 48});
  AudioBytes junk;
  junk.chunk_le("JUNK", AudioBytes{}.zeros(28)).chunk_le("fmt ", fmt16()).chunk_le("data", samples);
  files.push_back({.name = "junk-first.wav", .bytes = riff(junk), .offset = 80});
  files.push_back({.name = "appended.wav", .bytes = wav(fmt16(), samples).add(tail), .offset = 44});
  AudioBytes chunk_behind = wav(fmt16(), samples).add(list_info());
  files.push_back({.name = "list-behind.wav", .bytes = chunk_behind, .offset = 44});
  for (const std::size_t zeros : {std::size_t{1000}, std::size_t{393'164}}) {
    AudioBytes chunks;
    chunks.chunk_le("fmt ", fmt16(wave_format(1, 1, 16, 44100))).add(zero_adtl(zeros));
    files.push_back({.name = "recorder-" + std::to_string(zeros) + ".wav",
                     .bytes = riff(chunks.chunk_le("data", ramp(s16_le, 1000, 1))),
                     .channels = 1,
                     .offset = static_cast<std::int64_t>(12 + 24 + 12 + zeros + 8),
                     .rate = 44100});
  }
  AudioBytes unpadded;
  unpadded.chunk_le("fmt ", fmt16()).text("note").le(4, 5).text("hello").chunk_le("data", samples);
  files.push_back({.name = "pad-forgotten.wav", .bytes = riff(unpadded), .offset = 12 + 24 + 13 + 8});
  AudioBytes bwf;
  bwf.chunk_le("bext", AudioBytes{}.text("desc").zeros(613)).chunk_le("fmt ", fmt16(wave_format(1, 2, 24)));
  bwf.chunk_le("axml", AudioBytes{}.text("<x>").zeros(492)).chunk_le("data", ramp(s24_3le));
  bwf.chunk_le("iXML", AudioBytes{}.text("<BWFXML/>")).chunk_le("ID3 ", AudioBytes{}.text("ID3").zeros(7));
  files.push_back(
      {.name = "bwf.wav", .bytes = riff(bwf), .format = s24_3le, .offset = 12 + 8 + 618 + 24 + 8 + 496 + 8});
  AudioBytes odd;
  odd.chunk_le("fmt ", fmt16(wave_format(1, 1, 24, 44100))).chunk_le("data", ramp(s24_3le, 101, 1));
  files.push_back({.name = "odd-data.wav",
                   .bytes = riff(odd.add(list_info())),
                   .format = s24_3le,
                   .frames = 101,
                   .channels = 1,
                   .offset = 44,
                   .rate = 44100});
}

inline void add_wave_formats(std::vector<FieldFile>& files) {
  using enum SampleFormat;
  files.push_back({.name = "u8.wav",
                   .bytes = wav(fmt16(wave_format(1, 1, 8, 8000)), ramp(u8, 1000, 1)),
                   .format = u8,
                   .channels = 1,
                   .offset = 44,
                   .rate = 8000});
  files.push_back(
      {.name = "s32.wav", .bytes = wav(fmt16(wave_format(1, 2, 32)), ramp(s32_le)), .format = s32_le});
  files.push_back(
      {.name = "float.wav", .bytes = wav(fmt18(wave_format(3, 2, 32)), ramp(f32_le)), .format = f32_le});
  files.push_back(
      {.name = "double.wav", .bytes = wav(fmt18(wave_format(3, 2, 64)), ramp(f64_le)), .format = f64_le});
  files.push_back({.name = "rifx.wav", .bytes = rifx(1, 16, ramp(s16_be)), .format = s16_be, .offset = 44});
  files.push_back({.name = "rifx-24.wav", .bytes = rifx(1, 24, ramp(s24_3be)), .format = s24_3be});
  files.push_back({.name = "rifx-float.wav", .bytes = rifx(3, 32, ramp(f32_be)), .format = f32_be});
  files.push_back({.name = "rifx-double.wav", .bytes = rifx(3, 64, ramp(f64_be)), .format = f64_be});
  files.push_back({.name = "24-in-32.wav",
                   .bytes = wav(fmt40(wave_format(1, 2, 32), 24, 3), ramp(s32_le)),
                   .format = s32_le,
                   .offset = 68,
                   .valid_bits = 24});
  files.push_back({.name = "20-in-24.wav",
                   .bytes = wav(fmt40(wave_format(1, 2, 24), 20, 3), ramp(s24_3le)),
                   .format = s24_3le,
                   .valid_bits = 20});
  files.push_back({.name = "32-channels.wav",
                   .bytes = wav(fmt40(wave_format(1, 32, 24), 24, 0), ramp(s24_3le, 200, 32)),
                   .format = s24_3le,
                   .frames = 200,
                   .channels = 32});
  files.push_back({.name = "extensible-float.wav",
                   .bytes = wav(fmt40(wave_format(3, 2, 32), 32, 3), ramp(f32_le)),
                   .format = f32_le});
  files.push_back({.name = "ambisonic.wav",
                   .bytes = wav(fmt40(wave_format(1, 4, 24), 24, 0, true), ramp(s24_3le, 1000, 4)),
                   .format = s24_3le,
                   .channels = 4});
  files.push_back({.name = "ambisonic-float.wav",
                   .bytes = wav(fmt40(wave_format(3, 4, 32), 32, 0, true), ramp(f32_le, 1000, 4)),
                   .format = f32_le,
                   .channels = 4});
}

inline void add_unfinished_waves(std::vector<FieldFile>& files) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  const std::string hint = "--ignore-length plays the 1000 frames";
  const auto died = [&files, &hint](const std::string& name, const AudioBytes& bytes) {
    files.push_back({.name = name,
                     .bytes = bytes,
                     .frames = 0,
                     .text = "4000 follow: the recording was not finished",
                     .remedy = hint,
                     .ignoring = 1000});
  };
  died("died.wav", wav_of_sizes(36, 0, samples));
  died("died-size-0.wav", wav_of_sizes(0, 0, samples));
  died("died-list.wav", wav_of_sizes(36, 0, samples, list_info()));
  const AudioBytes long_list = AudioBytes{}.text("LIST").le(4, 0x7fff0000).text("INFO").zeros(60);
  files.push_back({.name = "no-frames-long-list.wav",
                   .bytes = wav_of_sizes(36, 0, long_list),
                   .frames = 0,
                   .text = "no samples in it (0 frames)",
                   .remedy = "leave it out"});
  files.push_back({.name = "long-list-behind.wav", .bytes = wav(fmt16(), samples).add(long_list)});
  const auto piped = [&files](const std::string& name, const AudioBytes& bytes) {
    files.push_back({.name = name, .bytes = bytes});
  };
  piped("pipe-ffmpeg.wav", wav_of_sizes(0xffffffff, 0xffffffff, samples, list_info()));
  piped("pipe-sox.wav", wav_of_sizes(0x7ffff024, 0x7ffff000, samples));
  piped("pipe-arecord.wav", wav_of_sizes(0x80000024, 0x80000000, samples));
  piped("pipe-header-left-out.wav", wav_of_sizes(0xffffffff, 0xffffffff - 44, samples));
  files.push_back({.name = "pipe-sox-24.wav",
                   .bytes = wav_of_sizes(0x7ffff020, 0x7ffff000 / 6 * 6, ramp(SampleFormat::s24_3le), {},
                                         fmt16(wave_format(1, 2, 24))),
                   .format = SampleFormat::s24_3le});
  files.push_back({.name = "cut.wav",
                   .bytes = cut(wav(fmt16(), samples), 44 + 2000),
                   .frames = 500,
                   .text = "the data chunk says 4000 bytes, 2000 are there"});
  files.push_back({.name = "odd-bytes.wav",
                   .bytes = wav(fmt16(), cut(samples, 3999)),
                   .frames = 999,
                   .text = "3 odd bytes"});
  files.push_back({.name = "pipe-odd-bytes.wav",
                   .bytes = wav_of_sizes(0xffffffff, 0xffffffff, cut(samples, 3997)),
                   .frames = 999,
                   .text = "1 odd byte "});
  files.push_back({.name = "cut-before-samples.wav",
                   .bytes = cut(wav(fmt16(), samples), 46),
                   .frames = 0,
                   .text = "ends before its first frame"});
}

inline void add_broken_waves(std::vector<FieldFile>& files) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  const auto broken = [&files](const std::string& name, const AudioBytes& bytes, const std::string& text) {
    files.push_back({.name = name, .bytes = bytes, .frames = 0, .text = text});
  };
  broken("no-frames.wav", wav(fmt16(), {}), "no samples in it (0 frames)");
  broken("empty.wav", {}, "an empty file (0 bytes)");
  broken("riff-only.wav", riff({}), "no chunks in it");
  broken("half-a-header.wav", cut(wav(fmt16(), samples), 20), "fmt chunk claims 16 bytes, 0 left");
  broken("no-data.wav", riff(AudioBytes{}.chunk_le("fmt ", fmt16())), "no data chunk");
  AudioBytes bext;
  bext.text("bext").le(4, 0x7fffff00).zeros(602).chunk_le("fmt ", fmt16()).chunk_le("data", samples);
  broken("bext-too-long.wav", riff(bext), "bext chunk claims 2147483392 bytes, 4634 left");
  AudioBytes reversed;
  reversed.chunk_le("data", samples).chunk_le("fmt ", fmt16());
  broken("data-first.wav", riff(reversed), "the data chunk stands before the fmt chunk");
  broken("channels-0.wav", wav(fmt16(wave_format(1, 0, 16)), samples), "0 channels");
  broken("rate-0.wav", wav(fmt16(wave_format(1, 2, 16, 0)), samples), "a sample rate of 0");
  broken("text.wav", AudioBytes{}.text("this is not audio\n"), "not an audio file (starts with 'this')");
  broken("binary.wav", AudioBytes{}.be(4, 0x7f454c46).zeros(200), "starts with the bytes 7f 45 4c 46");
  broken("video.avi", AudioBytes{}.text("RIFF").le(4, 40).text("AVI ").zeros(40), "'AVI ', not WAVE");
  AudioBytes no_ds64;
  no_ds64.chunk_le("fmt ", fmt16()).text("data").le(4, 0xffffffff).add(samples);
  broken("no-ds64.wav", riff(no_ds64, "RF64"), "RF64 without ds64");
}

inline void add_long_riffs(std::vector<FieldFile>& files) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  files.push_back({.name = "rf64.wav", .bytes = rf64(samples), .offset = 80});
  files.push_back({.name = "rf64-list-behind.wav", .bytes = rf64(samples, list_info()), .offset = 80});
  files.push_back({.name = "bw64.wav", .bytes = rf64(samples, {}, 0, "BW64"), .offset = 80});
  files.push_back({.name = "rf64-pipe.wav", .bytes = rf64(samples, {}, ~std::uint64_t{0}), .offset = 80});
  files.push_back({.name = "rf64-cut.wav",
                   .bytes = rf64(samples, {}, 8000),
                   .offset = 80,
                   .text = "8000 bytes, 4000 are there"});
  AudioBytes small;
  small.chunk_le("JUNK", AudioBytes{}.zeros(28)).chunk_le("fmt ", fmt16()).chunk_le("data", samples);
  files.push_back({.name = "bw64-small.wav", .bytes = riff(small, "BW64"), .offset = 80});
  AudioBytes ds64;
  ds64.le(8, 4100).le(8, 4000).le(8, 1000).le(4, 0);
  AudioBytes late;
  late.chunk_le("JUNK", AudioBytes{}.zeros(12)).chunk_le("ds64", ds64).chunk_le("fmt ", fmt16());
  late.text("data").le(4, 0).add(samples).add(list_info());
  files.push_back({.name = "rf64-late-ds64.wav", .bytes = riff(late, "RF64"), .offset = 100});
}

}  // namespace xrunlab::test
