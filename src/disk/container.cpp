#include "xrunlab/disk/container.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::uint32_t kUnknown32 = 0xFFFFFFFF;

/// A header under construction; numbers go in with their size and byte order.
class HeaderBytes {
 public:
  HeaderBytes& text(std::string_view characters) {
    for (const char character : characters) bytes_.push_back(static_cast<std::byte>(character));
    return *this;
  }
  HeaderBytes& little(std::uint64_t value, int size) {
    for (int index = 0; index < size; ++index) bytes_.push_back(static_cast<std::byte>(value >> (8 * index)));
    return *this;
  }
  HeaderBytes& big(std::uint64_t value, int size) {
    for (int index = size; index-- > 0;) bytes_.push_back(static_cast<std::byte>(value >> (8 * index)));
    return *this;
  }
  /// A W64 chunk name: a RIFF name followed by Sonic Foundry's suffix, the same for all but "riff".
  HeaderBytes& guid(std::string_view name) {
    static constexpr std::array<unsigned, 12> kRiff{0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6,
                                                    0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00};
    static constexpr std::array<unsigned, 12> kOther{0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1,
                                                     0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A};
    text(name);
    for (const unsigned byte : name == "riff" ? kRiff : kOther)
      bytes_.push_back(static_cast<std::byte>(byte));
    return *this;
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

struct Content {
  SampleFormat format;
  std::uint32_t rate_hz;
  std::uint64_t channels;
  std::uint64_t frames;
  std::uint64_t data_bytes;

  std::uint64_t sample_bytes() const { return static_cast<std::uint64_t>(bytes_per_sample(format)); }
};

void put_wave_format(HeaderBytes& header, const Content& content) {
  const std::uint64_t frame_bytes = content.channels * content.sample_bytes();
  header.little(is_float(content.format) ? 3 : 1, 2).little(content.channels, 2);
  header.little(content.rate_hz, 4).little(content.rate_hz * frame_bytes, 4);
  header.little(frame_bytes, 2).little(content.sample_bytes() * 8, 2);
}

void refuse_over_4_gib(const char* container, std::uint64_t riff_bytes) {
  if (riff_bytes < kUnknown32) return;
  throw Error(ExitCode::usage,
              std::string("a track of ") + std::to_string(riff_bytes) +
                  " bytes is more than the 4 GiB that " + container + " can hold",
              "write --container rf64 (or w64), or a shorter -d");
}

/// WAV and RF64, which differ in the name, the sizes and the ds64 chunk. Float has a fact chunk, as the
/// format asks of everything that is not integer PCM.
std::vector<std::byte> wave_header(const Content& content, bool is_rf64) {
  const bool has_fact = is_float(content.format);
  const std::uint64_t format_bytes = has_fact ? 18 : 16;
  const std::uint64_t padded = content.data_bytes + (content.data_bytes & 1);
  const std::uint64_t riff_bytes =
      4 + (is_rf64 ? 36u : 0u) + 8 + format_bytes + (has_fact ? 12u : 0u) + 8 + padded;
  if (!is_rf64) refuse_over_4_gib("wav", riff_bytes);
  HeaderBytes header;
  header.text(is_rf64 ? "RF64" : "RIFF").little(is_rf64 ? kUnknown32 : riff_bytes, 4).text("WAVE");
  if (is_rf64) {
    header.text("ds64").little(28, 4).little(riff_bytes, 8).little(content.data_bytes, 8);
    header.little(content.frames, 8).little(0, 4);
  }
  header.text("fmt ").little(format_bytes, 4);
  put_wave_format(header, content);
  if (has_fact)
    header.little(0, 2).text("fact").little(4, 4).little(std::min<std::uint64_t>(content.frames, kUnknown32),
                                                         4);
  header.text("data").little(is_rf64 ? kUnknown32 : content.data_bytes, 4);
  return header.take();
}

/// Sizes count the 24 bytes of name and size. Every chunk starts on a multiple of 8; nothing pads the last
/// one, as readers are known that play the padding.
std::vector<std::byte> w64_header(const Content& content) {
  const bool has_fact = is_float(content.format);
  HeaderBytes header;
  header.guid("riff").little(24 + 16 + 40 + (has_fact ? 32u : 0u) + 24 + content.data_bytes, 8).guid("wave");
  header.guid("fmt ").little(40, 8);
  put_wave_format(header, content);
  if (has_fact) header.guid("fact").little(32, 8).little(content.frames, 8);
  header.guid("data").little(24 + content.data_bytes, 8);
  return header.take();
}

/// An 80-bit extended float holding a whole number.
void put_extended(HeaderBytes& header, std::uint32_t value) {
  const int top = 31 - std::countl_zero(value);
  header.big(16383U + static_cast<std::uint64_t>(top), 2);
  header.big(static_cast<std::uint64_t>(value) << (63 - top), 8);
}

/// AIFF, or AIFF-C with its version chunk and "fl32" for floats.
std::vector<std::byte> aiff_header(const Content& content) {
  const bool is_aifc = is_float(content.format);
  const std::uint64_t common_bytes = is_aifc ? 24 : 18;
  const std::uint64_t padded = content.data_bytes + (content.data_bytes & 1);
  const std::uint64_t form_bytes = 4 + (is_aifc ? 12u : 0u) + 8 + common_bytes + 16 + padded;
  refuse_over_4_gib("aiff", form_bytes);
  HeaderBytes header;
  header.text("FORM").big(form_bytes, 4).text(is_aifc ? "AIFC" : "AIFF");
  if (is_aifc) header.text("FVER").big(4, 4).big(0xA2805140, 4);  // the only version there is: 23 May 1990
  header.text("COMM").big(common_bytes, 4).big(content.channels, 2).big(content.frames, 4);
  header.big(content.sample_bytes() * 8, 2);
  put_extended(header, content.rate_hz);
  if (is_aifc) header.text("fl32").big(0, 2);  // the codec's name for people, left empty
  header.text("SSND").big(8 + content.data_bytes, 4).big(0, 4).big(0, 4);
  return header.take();
}

}  // namespace

SampleFormat container_format(std::string_view container, SampleFormat format) noexcept {
  if (container != "aiff") return format;
  switch (format) {
    case SampleFormat::u8:
      return SampleFormat::s8;
    case SampleFormat::s16_le:
      return SampleFormat::s16_be;
    case SampleFormat::s24_3le:
      return SampleFormat::s24_3be;
    case SampleFormat::s32_le:
      return SampleFormat::s32_be;
    case SampleFormat::f32_le:
      return SampleFormat::f32_be;
    default:
      return format;
  }
}

ContainerLayout lay_out_container(const std::string& container, SampleFormat format, SampleRate rate,
                                  int channels, Frames frames) {
  ContainerLayout layout;
  layout.format = container_format(container, format);
  layout.data_bytes = frames * channels * bytes_per_sample(format);
  const Content content{layout.format, rate.hz, static_cast<std::uint64_t>(channels),
                        static_cast<std::uint64_t>(frames), static_cast<std::uint64_t>(layout.data_bytes)};
  if (container == "w64") {
    layout.header = w64_header(content);
  } else if (container == "aiff") {
    layout.header = aiff_header(content);
  } else {
    layout.header = wave_header(content, container == "rf64");
  }
  layout.trailer_bytes = container == "w64" ? 0 : layout.data_bytes & 1;
  return layout;
}

}  // namespace xrunlab
