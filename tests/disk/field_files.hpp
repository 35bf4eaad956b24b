// Audio files as people have them, and what each must come to. Samples are those of sample_at. Used by the
// tests of the header parsers, of conversion, and of the command line, which gets the same files from the
// program field_files.
#pragma once

#include <vector>

#include "tests/disk/field_waves.hpp"

namespace xrunlab::test {

inline void add_wave64s(std::vector<FieldFile>& files) {
  const AudioBytes samples = ramp(SampleFormat::s16_le);
  const auto of = [](const AudioBytes& body) {
    return w64(AudioBytes{}.add(w64_chunk("fmt ", fmt16())).add(w64_chunk("data", body)));
  };
  files.push_back({.name = "plain.w64", .bytes = of(samples), .offset = 104});
  files.push_back({.name = "padded.w64", .bytes = of(cut(samples, 3996)), .frames = 999, .offset = 104});
  files.push_back({.name = "cut.w64",
                   .bytes = cut(of(samples), 104 + 2000),
                   .frames = 500,
                   .text = "4000 bytes, 2000 are there"});
  const auto of_sizes = [&samples](std::uint64_t size) {
    AudioBytes out;
    out.add(w64_guid("riff")).le(8, size).add(w64_guid("wave")).add(w64_chunk("fmt ", fmt16()));
    return out.add(w64_guid("data")).le(8, size).add(samples);
  };
  files.push_back({.name = "died.w64",
                   .bytes = of_sizes(0),
                   .frames = 0,
                   .text = "the recording was not finished",
                   .remedy = "1000 frames",
                   .ignoring = 1000});
  files.push_back({.name = "pipe.w64", .bytes = of_sizes(~std::uint64_t{0})});
  files.push_back({.name = "pipe-signed.w64", .bytes = of_sizes(INT64_MAX)});
  AudioBytes empty;
  empty.add(w64_chunk("fmt ", fmt16())).add(w64_chunk("data", {})).add(w64_chunk("list", samples));
  files.push_back({.name = "no-frames.w64", .bytes = w64(empty), .frames = 0, .text = "0 frames"});
}

inline void add_aiffs(std::vector<FieldFile>& files) {
  using enum SampleFormat;
  const auto of = [](unsigned bits, std::uint32_t frames, const AudioBytes& samples) {
    AudioBytes chunks;
    return aiff(chunks.chunk_be("COMM", comm(bits, frames)).chunk_be("SSND", ssnd(samples)));
  };
  const AudioBytes samples = ramp(s16_be);
  files.push_back({.name = "16.aiff", .bytes = of(16, 1000, samples), .format = s16_be, .offset = 54});
  files.push_back({.name = "24.aiff", .bytes = of(24, 1000, ramp(s24_3be)), .format = s24_3be});
  files.push_back({.name = "count-0.aiff", .bytes = of(16, 0, samples), .format = s16_be});
  files.push_back({.name = "cut.aiff",
                   .bytes = cut(of(16, 1000, samples), 54 + 2000),
                   .format = s16_be,
                   .frames = 500,
                   .text = "4000 bytes, 2000 are there"});
  AudioBytes piped;
  piped.chunk_be("COMM", comm(16, 0x7f000000 / 4)).text("SSND").be(4, 0x7f000008).be(8, 0).add(samples);
  files.push_back({.name = "pipe-sox.aiff", .bytes = aiff(piped), .format = s16_be});
  AudioBytes died;
  died.chunk_be("COMM", comm(16, 0)).text("SSND").be(4, 0).be(8, 0).add(samples);
  files.push_back({.name = "died.aiff",
                   .bytes = aiff(died),
                   .format = s16_be,
                   .frames = 0,
                   .text = "not finished",
                   .remedy = "1000 frames",
                   .ignoring = 1000});
  files.push_back({.name = "sowt-16.aifc", .bytes = aifc("sowt", 16, ramp(s16_le)), .format = s16_le});
  files.push_back({.name = "sowt-24.aifc", .bytes = aifc("sowt", 24, ramp(s24_3le)), .format = s24_3le});
  files.push_back({.name = "fl32.aifc", .bytes = aifc("fl32", 32, ramp(f32_be)), .format = f32_be});
  files.push_back({.name = "fl64.aifc", .bytes = aifc("fl64", 64, ramp(f64_be)), .format = f64_be});
  files.push_back({.name = "in24.aifc", .bytes = aifc("in24", 24, ramp(s24_3be)), .format = s24_3be});
  files.push_back({.name = "42n1.aifc", .bytes = aifc("42n1", 24, ramp(s24_3le)), .format = s24_3le});
  files.push_back({.name = "in32.aifc", .bytes = aifc("in32", 32, ramp(s32_be)), .format = s32_be});
  files.push_back(
      {.name = "unknown.aifc", .bytes = aifc("Qclp", 16, samples), .frames = 0, .text = "'Qclp'"});
}

inline void add_cafs_and_aus(std::vector<FieldFile>& files) {
  using enum SampleFormat;
  const AudioBytes samples = ramp(s16_le);
  files.push_back({.name = "16.caf", .bytes = caf_start(2, 16).add(caf_data(samples)), .offset = 68});
  files.push_back(
      {.name = "24.caf", .bytes = caf_start(0, 24).add(caf_data(ramp(s24_3be))), .format = s24_3be});
  files.push_back(
      {.name = "float.caf", .bytes = caf_start(3, 32).add(caf_data(ramp(f32_le))), .format = f32_le});
  const AudioBytes info = caf_chunk("info", AudioBytes{}.be(4, 1).text("title").u8(0).text("x").u8(0));
  files.push_back({.name = "info-behind.caf", .bytes = caf_start(2, 16).add(caf_data(samples)).add(info)});
  AudioBytes spaced = caf_start(2, 16).add(caf_chunk("free", AudioBytes{}.zeros(24'496)));
  files.push_back({.name = "free-before.caf", .bytes = spaced.add(caf_data(samples)), .offset = 68 + 24'508});
  const auto of_size = [&samples](std::uint64_t size) {
    return caf_start(2, 16).text("data").be(8, size).be(4, 0).add(samples);
  };
  files.push_back({.name = "pipe.caf", .bytes = of_size(~std::uint64_t{0})});
  files.push_back({.name = "pipe-signed.caf", .bytes = of_size(INT64_MAX)});
  files.push_back({.name = "died.caf",
                   .bytes = of_size(0),
                   .frames = 0,
                   .text = "not finished",
                   .remedy = "1000 frames",
                   .ignoring = 1000});
  files.push_back({.name = "no-frames.caf",
                   .bytes = caf_start(2, 16).add(caf_data({})).add(info),
                   .frames = 0,
                   .text = "0 frames"});
  const AudioBytes big = ramp(s16_be);
  files.push_back({.name = "16.au", .bytes = au(4000, 3, big), .format = s16_be, .offset = 28});
  files.push_back({.name = "pipe.au", .bytes = au(0xffffffff, 3, big), .format = s16_be, .offset = 28});
  files.push_back({.name = "24.au", .bytes = au(6000, 4, ramp(s24_3be)), .format = s24_3be});
  files.push_back({.name = "died.au",
                   .bytes = au(0, 3, big),
                   .format = s16_be,
                   .frames = 0,
                   .text = "not finished",
                   .remedy = "1000 frames",
                   .ignoring = 1000});
}

/// All of them; none must be decoded.
inline std::vector<FieldFile> field_files() {
  std::vector<FieldFile> files;
  add_sound_waves(files);
  add_wave_formats(files);
  add_unfinished_waves(files);
  add_broken_waves(files);
  add_long_riffs(files);
  add_wave64s(files);
  add_aiffs(files);
  add_cafs_and_aus(files);
  return files;
}

}  // namespace xrunlab::test
