// Builds the bytes of audio files for tests: samples by a fixed formula, headers field by field, so that a
// broken one is as easy to write as a sound one.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "xrunlab/core/sample_format.hpp"

namespace xrunlab::test {

/// Frame i of channel ch in the 16-bit domain.
constexpr int sample_at(std::int64_t i, int ch) {
  return static_cast<int>((7 * i + 1000 * ch + 16384) & 0x7fff) - 16384;
}

class AudioBytes {
 public:
  AudioBytes& text(const std::string& characters) {
    bytes_ += characters;
    return *this;
  }
  AudioBytes& u8(unsigned value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  AudioBytes& le(int count, std::uint64_t value) {
    for (int index = 0; index < count; ++index) u8(static_cast<unsigned>(value >> (8 * index) & 0xff));
    return *this;
  }
  AudioBytes& be(int count, std::uint64_t value) {
    for (int index = count - 1; index >= 0; --index) u8(static_cast<unsigned>(value >> (8 * index) & 0xff));
    return *this;
  }
  AudioBytes& zeros(std::size_t count) {
    bytes_.append(count, '\0');
    return *this;
  }
  AudioBytes& add(const AudioBytes& other) { return text(other.bytes_); }

  /// RIFF-style chunk: id, size, body and the pad byte.
  AudioBytes& chunk_le(const std::string& id, const AudioBytes& body) {
    text(id).le(4, body.bytes_.size()).add(body);
    return body.bytes_.size() % 2 == 0 ? *this : u8(0);
  }
  AudioBytes& chunk_be(const std::string& id, const AudioBytes& body) {
    text(id).be(4, body.bytes_.size()).add(body);
    return body.bytes_.size() % 2 == 0 ? *this : u8(0);
  }

  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

/// One sample, given in the 16-bit domain, as it stands in a file; integers are left-justified.
inline AudioBytes sample_bytes(SampleFormat format, int value) {
  AudioBytes out;
  const auto wide = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  switch (format) {
    case SampleFormat::u8:
      return out.u8(static_cast<unsigned>((value >> 8) + 128) & 0xff);
    case SampleFormat::s8:
      return out.u8(static_cast<unsigned>(value >> 8) & 0xff);
    case SampleFormat::s16_le:
      return out.le(2, wide);
    case SampleFormat::s16_be:
      return out.be(2, wide);
    case SampleFormat::s24_3le:
      return out.le(3, wide << 8);
    case SampleFormat::s24_3be:
      return out.be(3, wide << 8);
    case SampleFormat::s24_le:
      return out.le(4, wide << 8);
    case SampleFormat::s32_le:
      return out.le(4, wide << 16);
    case SampleFormat::s32_be:
      return out.be(4, wide << 16);
    case SampleFormat::f32_le:
      return out.le(4, std::bit_cast<std::uint32_t>(static_cast<float>(value) / 32768.0F));
    case SampleFormat::f32_be:
      return out.be(4, std::bit_cast<std::uint32_t>(static_cast<float>(value) / 32768.0F));
    case SampleFormat::f64_le:
      return out.le(8, std::bit_cast<std::uint64_t>(value / 32768.0));
    case SampleFormat::f64_be:
      return out.be(8, std::bit_cast<std::uint64_t>(value / 32768.0));
  }
  return out;
}

inline AudioBytes ramp(SampleFormat format, std::int64_t frames = 1000, int channels = 2) {
  AudioBytes out;
  for (std::int64_t i = 0; i < frames; ++i) {
    for (int ch = 0; ch < channels; ++ch) out.add(sample_bytes(format, sample_at(i, ch)));
  }
  return out;
}

struct WaveFormat {
  unsigned tag = 1;
  unsigned channels = 2;
  unsigned rate = 48000;
  unsigned bits = 16;
  unsigned container_bytes = 0;  ///< 0: what the bits need
  unsigned bytes_per_sample() const { return container_bytes != 0 ? container_bytes : (bits + 7) / 8; }
};

/// The body of a fmt chunk of 16 bytes, little-endian.
inline AudioBytes fmt16(const WaveFormat& format = {}) {
  const unsigned align = format.channels * format.bytes_per_sample();
  return AudioBytes{}
      .le(2, format.tag)
      .le(2, format.channels)
      .le(4, format.rate)
      .le(4, std::uint64_t{format.rate} * align)
      .le(2, align)
      .le(2, format.bits);
}

inline AudioBytes fmt18(const WaveFormat& format = {}) {
  return fmt16(format).le(2, 0);
}

/// EXTENSIBLE: `format.tag` goes into the GUID.
inline AudioBytes fmt40(WaveFormat format, unsigned valid_bits, unsigned mask, bool ambisonic = false) {
  const unsigned tag = format.tag;
  format.tag = 0xfffe;
  AudioBytes out = fmt16(format).le(2, 22).le(2, valid_bits).le(4, mask).le(4, tag);
  if (ambisonic) return out.le(2, 0x0721).le(2, 0x11d3).be(8, 0x8644c8c1ca000000);
  return out.le(2, 0).le(2, 0x0010).be(8, 0x800000aa00389b71);
}

/// RIFF + size + WAVE + `chunks`.
inline AudioBytes riff(const AudioBytes& chunks, const std::string& magic = "RIFF") {
  return AudioBytes{}.text(magic).le(4, chunks.size() + 4).text("WAVE").add(chunks);
}

inline AudioBytes wav(const AudioBytes& fmt, const AudioBytes& samples) {
  return riff(AudioBytes{}.chunk_le("fmt ", fmt).chunk_le("data", samples));
}

/// RF64 with a ds64 chunk of `size_in_ds64` (0: the right one) whose data chunk says "look there".
inline AudioBytes rf64(const AudioBytes& samples, const AudioBytes& behind = {},
                       std::uint64_t size_in_ds64 = 0, const std::string& magic = "RF64") {
  const std::uint64_t size = size_in_ds64 != 0 ? size_in_ds64 : samples.size();
  AudioBytes ds64;
  ds64.le(8, size + 72).le(8, size).le(8, size / 4).le(4, 0);
  AudioBytes out;
  out.text(magic).le(4, 0xffffffff).text("WAVE").chunk_le("ds64", ds64).chunk_le("fmt ", fmt16());
  return out.text("data").le(4, 0xffffffff).add(samples).add(behind);
}

/// RIFX: the same as a WAV, but big-endian.
inline AudioBytes rifx(unsigned tag, unsigned bits, const AudioBytes& samples) {
  const unsigned align = 2 * bits / 8;
  AudioBytes fmt;
  fmt.be(2, tag).be(2, 2).be(4, 48000).be(4, std::uint64_t{48000} * align).be(2, align).be(2, bits);
  AudioBytes out;
  out.text("RIFX").be(4, 36 + samples.size()).text("WAVE");
  return out.chunk_be("fmt ", fmt).chunk_be("data", samples);
}

inline AudioBytes w64_guid(const std::string& id) {
  AudioBytes out;
  out.text(id);
  return id == "riff" ? out.be(4, 0x2e91cf11).be(8, 0xa5d628db04c10000)
                      : out.be(4, 0xf3acd311).be(8, 0x8cd100c04f8edb8a);
}

inline AudioBytes w64_chunk(const std::string& id, const AudioBytes& body) {
  return w64_guid(id).le(8, body.size() + 24).add(body).zeros((8 - body.size() % 8) % 8);
}

inline AudioBytes w64(const AudioBytes& chunks) {
  return w64_guid("riff").le(8, chunks.size() + 40).add(w64_guid("wave")).add(chunks);
}

/// COMM with the rate as an 80-bit float; `compression` empty: plain AIFF.
inline AudioBytes comm(unsigned bits, std::uint32_t frames, const std::string& compression = "",
                       unsigned channels = 2, std::uint32_t rate = 48000) {
  const auto shift = static_cast<unsigned>(std::countl_zero(std::uint64_t{rate}));
  AudioBytes out;
  out.be(2, channels).be(4, frames).be(2, bits);
  out.be(2, 16383 + 63 - shift).be(8, std::uint64_t{rate} << shift);
  if (!compression.empty()) out.text(compression).u8(0).u8(0);
  return out;
}

inline AudioBytes ssnd(const AudioBytes& samples) {
  return AudioBytes{}.be(4, 0).be(4, 0).add(samples);
}

inline AudioBytes aiff(const AudioBytes& chunks, const std::string& form = "AIFF") {
  return AudioBytes{}.text("FORM").be(4, chunks.size() + 4).text(form).add(chunks);
}

/// AIFF-C whose COMM says `frames`.
inline AudioBytes aifc(const std::string& compression, unsigned bits, const AudioBytes& samples,
                       std::uint32_t frames = 1000, unsigned channels = 2) {
  AudioBytes chunks;
  chunks.chunk_be("FVER", AudioBytes{}.be(4, 0xa2805140));
  chunks.chunk_be("COMM", comm(bits, frames, compression, channels));
  return aiff(chunks.chunk_be("SSND", ssnd(samples)), "AIFC");
}

inline AudioBytes caf_chunk(const std::string& id, const AudioBytes& body) {
  return AudioBytes{}.text(id).be(8, body.size()).add(body);
}

/// caff header and desc; `flags`: 1 float, 2 little-endian.
inline AudioBytes caf_start(unsigned flags, unsigned bits, unsigned channels = 2,
                            const char* codec = "lpcm") {
  AudioBytes desc;
  desc.be(8, std::bit_cast<std::uint64_t>(48000.0)).text(codec).be(4, flags);
  desc.be(4, channels * ((bits + 7) / 8)).be(4, 1).be(4, channels).be(4, bits);
  return AudioBytes{}.text("caff").be(2, 1).be(2, 0).add(caf_chunk("desc", desc));
}

/// The data chunk: an edit count, then the samples.
inline AudioBytes caf_data(const AudioBytes& samples) {
  return caf_chunk("data", AudioBytes{}.be(4, 0).add(samples));
}

inline AudioBytes au(std::uint32_t size, unsigned encoding, const AudioBytes& samples) {
  AudioBytes out;
  out.text(".snd").be(4, 28).be(4, size).be(4, encoding).be(4, 48000).be(4, 2).text("note");
  return out.add(samples);
}

/// A directory that goes away with its object.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "xrunlab-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::filesystem::filesystem_error(name, {});
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const AudioBytes& bytes) const {
    std::ofstream out(path_ / name, std::ios::binary | std::ios::trunc);
    out.write(bytes.bytes().data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace xrunlab::test
