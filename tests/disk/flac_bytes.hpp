// Builds a small FLAC file for tests: two channels of 16 bits at 48 kHz, stored as they are (verbatim), so
// that any number can stand in its header and every frame's place in it is known.
#pragma once

#include <cstdint>
#include <string>

#include "tests/disk/audio_bytes.hpp"

namespace xrunlab::test {

inline constexpr std::int64_t kFlacFrame = 256;              ///< frames of audio in one FLAC frame
inline constexpr std::size_t kFlacHeaderBytes = 4 + 4 + 34;  ///< "fLaC" and STREAMINFO
inline constexpr std::size_t kFlacFrameBytes = 6 + 2 * (1 + 2 * kFlacFrame) + 2;

/// The remainder that FLAC protects its frames with (RFC 9639, section 9.1.8 and 9.3).
inline unsigned flac_crc(const std::string& bytes, int width, unsigned polynomial) {
  const unsigned top = 1U << (width - 1);
  unsigned crc = 0;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(byte)) << (width - 8);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & top) != 0 ? (crc << 1) ^ polynomial : crc << 1;
    crc &= 2 * top - 1;
  }
  return crc;
}

/// One frame of kFlacFrame frames, which starts at frame number * kFlacFrame of the ramp.
inline AudioBytes flac_frame(unsigned number) {
  AudioBytes out;
  // Sync; 2^8 samples, 48 kHz; two channels, 16 bits; the number.
  out.u8(0xff).u8(0xf8).u8(0x8a).u8(0x18).u8(number);
  out.u8(flac_crc(out.bytes(), 8, 0x07));
  for (int ch = 0; ch < 2; ++ch) {
    out.u8(0x02);  // verbatim
    for (std::int64_t i = 0; i < kFlacFrame; ++i) {
      out.add(sample_bytes(SampleFormat::s16_be, sample_at(number * kFlacFrame + i, ch)));
    }
  }
  return out.be(2, flac_crc(out.bytes(), 16, 0x8005));
}

/// A file of `flac_frames` frames whose header claims `total` samples a channel; 0: not known.
inline AudioBytes flac(std::uint64_t total, unsigned flac_frames = 4) {
  AudioBytes out;
  out.text("fLaC").u8(0x80).be(3, 34).be(2, kFlacFrame).be(2, kFlacFrame).zeros(6);
  out.be(8, std::uint64_t{48000} << 44 | std::uint64_t{1} << 41 | std::uint64_t{15} << 36 | total).zeros(16);
  for (unsigned number = 0; number < flac_frames; ++number) out.add(flac_frame(number));
  return out;
}

/// The same four frames in pages of Ogg, a packet each (RFC 9639, section 10.1).
inline AudioBytes flac_in_ogg() {
  const std::string plain = flac(1024).bytes();
  std::uint32_t sequence = 0;
  const auto page = [&sequence](unsigned flags, std::uint64_t position, const AudioBytes& packet) {
    AudioBytes head;
    head.text("OggS").u8(0).u8(flags).le(8, position).le(4, 7).le(4, sequence++);
    AudioBytes rest;
    rest.u8(static_cast<unsigned>(packet.size() / 255 + 1));
    for (std::size_t left = packet.size(); left >= 255; left -= 255) rest.u8(255);
    rest.u8(static_cast<unsigned>(packet.size() % 255)).add(packet);
    const unsigned crc = flac_crc(AudioBytes{}.add(head).zeros(4).add(rest).bytes(), 32, 0x04c11db7);
    return head.le(4, crc).add(rest);
  };
  const AudioBytes comment = AudioBytes{}.u8(0x84).be(3, 8).zeros(8);
  AudioBytes out;
  AudioBytes first = AudioBytes{}.u8(0x7f).text("FLAC").u8(1).u8(0).be(2, 1).text("fLaC").u8(0).be(3, 34);
  out.add(page(2, 0, first.text(plain.substr(8, 34))));
  out.add(page(0, 0, comment));
  for (unsigned number = 0; number < 4; ++number) {
    const auto end = static_cast<std::uint64_t>(kFlacFrame) * (number + 1);
    out.add(page(number == 3 ? 4 : 0, end, flac_frame(number)));
  }
  return out;
}

}  // namespace xrunlab::test
