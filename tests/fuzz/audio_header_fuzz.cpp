// Header parsers of raw PCM: whatever the bytes are, what is to be played lies within the file, is a whole
// number of frames, and does not depend on how the bytes are read. The last byte of an input says by how much
// the file is larger than the bytes in it, so that sizes beyond 4 GiB are met too.

#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "tests/disk/audio_bytes.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/header.hpp"

namespace xrunlab::fuzz::audio_header {
namespace {

constexpr std::string_view kName = "track";
// Texts of messages and warnings; no list is as long as the file says.
constexpr std::size_t kMostHeld = 16 * 1024;
constexpr Bytes kGiB = Bytes{1} << 30;
constexpr std::array<Bytes, 8> kExtraBytes{0,        1,        4096,       3 * kGiB, 4 * kGiB - 1,
                                           4 * kGiB, 5 * kGiB, 1024 * kGiB};

struct Parsed {
  std::string refusal;
  bool raw = false;
  AudioFile file;
};

Parsed parse(BoundedReader& reader, LengthRule rule) {
  Parsed parsed;
  parsed.file.file_bytes = reader.size();
  const AllocationLimit limit(kMostHeld);
  parsed.refusal =
      refusal_of(ExitCode::input_file, [&] { parsed.raw = parse_header(reader, rule, parsed.file); });
  return parsed;
}

void check(const Parsed& parsed, Bytes file_bytes) {
  if (!parsed.refusal.empty()) {
    require(parsed.refusal.starts_with(std::string(kName) + ": "),
            "the message does not begin with the file's name");
    return;
  }
  const AudioFile& file = parsed.file;
  require(parsed.raw == file.raw_format.has_value(), "raw samples without a format, or a format without");
  for (const auto& warning : file.warnings) {
    require(!warning.empty() && warning.find('\n') == std::string::npos, "a warning is not one line");
  }
  if (!parsed.raw) return;
  require(file.codec == "pcm" && !file.container.empty(), "raw samples are not named as such");
  require(file.channels >= 1 && file.channels <= 1024, "channels out of range");
  require(file.rate.hz >= 1 && file.rate.hz <= 10'000'000, "rate out of range");
  require(file.valid_bits >= 1 && file.valid_bits <= 8 * bytes_per_sample(*file.raw_format),
          "valid bits do not fit the sample");
  require(file.frames_known && file.frames >= 1, "accepted without a frame to play");
  require(file.frames <= file.data_bytes / file.frame_bytes(), "more frames than bytes");
  require(file.data_bytes == file.frames * file.frame_bytes(), "the bytes are not those of the frames");
  require(file.data_offset >= 4 && file.data_offset <= file_bytes, "the samples start outside the file");
  require(file.data_bytes <= file_bytes - file.data_offset, "the samples end behind the file");
  require(!file.short_input || !file.warnings.empty(), "a short input without a warning");
}

void same(const Parsed& one, const Parsed& other) {
  require(one.refusal == other.refusal, "refused differently from memory and from a file");
  require(one.raw == other.raw && one.file.data_offset == other.file.data_offset &&
              one.file.data_bytes == other.file.data_bytes && one.file.warnings == other.file.warnings,
          "read differently from memory and from a file");
}

/// Ignoring the length never refuses what else is played, and never plays less of it.
void at_least(const Parsed& ignoring, const Parsed& believing) {
  if (!believing.raw) return;
  require(ignoring.raw && ignoring.file.data_offset == believing.file.data_offset &&
              ignoring.file.frames >= believing.file.frames,
          "--ignore-length plays less");
}

/// A file in memory: the bytes, and behind them nothing but zeros.
int file_with(std::string_view bytes, Bytes size) {
  static const UniqueFd fd(::memfd_create("audio_header_fuzz", MFD_CLOEXEC));
  require(fd && ::ftruncate(fd.get(), 0) == 0 && ::ftruncate(fd.get(), size) == 0 &&
              ::pwrite(fd.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
          "cannot make a file in memory");
  return fd.get();
}

}  // namespace
void run(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  const std::string_view bytes = text_of(data, size - 1);
  const Bytes extra = kExtraBytes[data[size - 1] % kExtraBytes.size()];
  const Bytes file_bytes = static_cast<Bytes>(bytes.size()) + extra;
  const int fd = file_with(bytes, file_bytes);
  BoundedReader on_disk(fd, file_bytes, std::string(kName));
  const Parsed believing = parse(on_disk, LengthRule::believe_header);
  const Parsed ignoring = parse(on_disk, LengthRule::take_what_is_there);
  check(believing, file_bytes);
  check(ignoring, file_bytes);
  at_least(ignoring, believing);
  if (extra == 0) {
    BoundedReader in_memory(std::as_bytes(std::span(bytes)), std::string(kName));
    same(parse(in_memory, LengthRule::believe_header), believing);
    same(parse(in_memory, LengthRule::take_what_is_there), ignoring);
  }
}

namespace {

using namespace xrunlab::test;

constexpr std::int64_t kFrames = 12;

void add_riff(std::vector<AudioBytes>& files) {
  const auto samples = ramp(SampleFormat::s16_le, kFrames);
  files.push_back(wav(fmt16(), samples));
  files.push_back(wav(fmt18(), samples));
  files.push_back(wav(fmt40({.bits = 32}, 24, 3), ramp(SampleFormat::s32_le, kFrames)));
  files.push_back(
      wav(fmt40({.tag = 3, .channels = 4, .bits = 32}, 32, 0, true), ramp(SampleFormat::f32_le, kFrames, 4)));
  files.push_back(wav(fmt16({.bits = 24, .container_bytes = 4}), ramp(SampleFormat::s24_le, kFrames)));
  files.push_back(wav(fmt18({.tag = 7, .bits = 8}), ramp(SampleFormat::u8, kFrames)));
  files.push_back(wav(fmt16({.channels = 1, .rate = 8000, .bits = 8}), ramp(SampleFormat::u8, 9, 1)));
  files.push_back(riff(AudioBytes{}
                           .chunk_le("LIST", AudioBytes{}.text("adtl").zeros(9))
                           .chunk_le("fmt ", fmt16({.channels = 1, .bits = 24}))
                           .chunk_le("data", ramp(SampleFormat::s24_3le, 11, 1))
                           .chunk_le("ID3 ", AudioBytes{}.zeros(4))));
  const auto start = AudioBytes{}.chunk_le("fmt ", fmt16()).text("data");
  for (const std::uint64_t size : {0ULL, 3ULL, 5000ULL, 0x7ffff000ULL, 0xffffffffULL}) {
    files.push_back(riff(AudioBytes{}.add(start).le(4, size).add(samples)));
  }
  const auto ds64 = AudioBytes{}.le(8, 0).le(8, samples.size()).le(8, kFrames).le(4, 1).text("LIST").le(8, 4);
  for (const std::string magic : {"RF64", "BW64"}) {
    files.push_back(AudioBytes{}
                        .text(magic)
                        .le(4, 0xffffffff)
                        .text("WAVE")
                        .chunk_le("ds64", ds64)
                        .add(AudioBytes{}.add(start).le(4, 0xffffffff).add(samples)));
  }
  AudioBytes big_endian;
  big_endian.be(2, 1).be(2, 2).be(4, 48000).be(4, 192000).be(2, 4).be(2, 16);
  files.push_back(AudioBytes{}
                      .text("RIFX")
                      .be(4, 84)
                      .text("WAVE")
                      .chunk_be("fmt ", big_endian)
                      .chunk_be("data", ramp(SampleFormat::s16_be, kFrames)));
}

void add_others(std::vector<AudioBytes>& files) {
  const auto little = ramp(SampleFormat::s16_le, kFrames);
  const auto big = ramp(SampleFormat::s16_be, kFrames);
  files.push_back(w64(AudioBytes{}.add(w64_chunk("fmt ", fmt16())).add(w64_chunk("data", little))));
  files.push_back(
      w64(AudioBytes{}.add(w64_chunk("fmt ", fmt40({}, 16, 3))).add(w64_guid("data")).le(8, 0).add(little)));
  files.push_back(aiff(AudioBytes{}.chunk_be("COMM", comm(16, kFrames)).chunk_be("SSND", ssnd(big))));
  files.push_back(aiff(AudioBytes{}.chunk_be("SSND", ssnd(big)).chunk_be("COMM", comm(16, 0))));
  for (const std::string name : {"sowt", "fl32", "ima4", "raw "}) {
    files.push_back(aiff(AudioBytes{}
                             .chunk_be("FVER", AudioBytes{}.be(4, 0xa2805140))
                             .chunk_be("COMM", comm(16, kFrames, name))
                             .chunk_be("SSND", ssnd(big)),
                         "AIFC"));
  }
  const auto edits = AudioBytes{}.be(4, 0).add(little);
  files.push_back(
      caf_start(2, 16).add(caf_chunk("free", AudioBytes{}.zeros(7))).add(caf_chunk("data", edits)));
  files.push_back(caf_start(0, 24)
                      .text("data")
                      .be(8, ~std::uint64_t{0})
                      .be(4, 0)
                      .add(ramp(SampleFormat::s24_3be, kFrames)));
  files.push_back(caf_start(0, 16, 2, "alac").add(caf_chunk("data", edits)));
  for (const unsigned encoding : {1U, 3U, 6U}) files.push_back(au(0xffffffff, encoding, big));
  files.push_back(AudioBytes{}.text("fLaC").zeros(40));
  files.push_back(AudioBytes{}.text("this is no audio file"));
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<AudioBytes> files;
  add_riff(files);
  add_others(files);
  std::vector<std::string> inputs;
  for (const auto& file : files) {
    for (const char extra : {'\0', '\5', '\6'}) inputs.push_back(file.bytes() + extra);
  }
  return inputs;
}

const Registered registered{{"audio_header", seeds, run}};

}  // namespace xrunlab::fuzz::audio_header
