#include "xrunlab/disk/header.hpp"

#include <random>
#include <vector>

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

/// Sound headers of every family with 50 frames behind them.
std::vector<std::string> seeds() {
  const AudioBytes little = ramp(SampleFormat::s16_le, 50);
  const AudioBytes big = ramp(SampleFormat::s16_be, 50);
  AudioBytes bwf;
  bwf.chunk_le("bext", AudioBytes{}.zeros(61)).chunk_le("fmt ", fmt40({}, 16, 3)).chunk_le("data", little);
  bwf.chunk_le("LIST", AudioBytes{}.zeros(12));
  AudioBytes ds64;
  ds64.le(8, 300).le(8, little.size()).le(8, 50).le(4, 1).text("JUNK").le(8, 4);
  AudioBytes long_riff;
  long_riff.chunk_le("ds64", ds64).text("JUNK").le(4, 0xffffffff).zeros(4).chunk_le("fmt ", fmt16());
  long_riff.text("data").le(4, 0xffffffff).add(little);
  AudioBytes aifc;
  aifc.chunk_be("COMM", comm(16, 50, "twos"))
      .chunk_be("NAME", AudioBytes{}.text("odd"))
      .chunk_be("SSND", ssnd(big));
  AudioBytes caf = caf_start(2, 16).add(caf_chunk("free", AudioBytes{}.zeros(20)));
  caf.add(caf_chunk("data", AudioBytes{}.be(4, 0).add(little)));
  return {riff(bwf).bytes(),
          riff(long_riff, "RF64").bytes(),
          w64(AudioBytes{}.add(w64_chunk("fmt ", fmt16())).add(w64_chunk("data", little))).bytes(),
          aiff(aifc, "AIFC").bytes(),
          caf.bytes(),
          au(200, 3, big).bytes()};
}

/// A few bytes set to values that sizes and counts are afraid of, or the end cut off.
void mutate(std::string& bytes, std::mt19937_64& random) {
  constexpr unsigned char kNasty[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0xfe};
  const std::size_t header = std::min<std::size_t>(bytes.size(), 200);
  const auto changes = 1 + random() % 6;
  for (std::size_t change = 0; change < changes; ++change) {
    const std::size_t at = random() % header;
    switch (random() % 4) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(kNasty[random() % std::size(kNasty)]);
        break;
      case 2:
        for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i)
          bytes[i] = static_cast<char>(random());
        break;
      default:
        if (random() % 8 == 0) bytes.resize(1 + random() % bytes.size());
        if (bytes.size() <= header) return;
    }
  }
}

/// Parses `bytes`; whatever they are, the result must lie within them. True when there were raw samples.
bool parse_safely(const std::string& bytes, LengthRule rule) {
  BoundedReader reader(std::as_bytes(std::span(bytes)), "broken");
  AudioFile file;
  try {
    if (!parse_header(reader, rule, file)) return false;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return false;
  }
  EXPECT_GE(file.channels, 1);
  EXPECT_LE(file.channels, 1024);
  EXPECT_GE(file.rate.hz, 1U);
  EXPECT_GE(file.frames, 1);
  EXPECT_GE(file.data_offset, 1);
  EXPECT_EQ(file.data_bytes, file.frames * file.frame_bytes());
  EXPECT_LE(file.data_offset + file.data_bytes, static_cast<Bytes>(bytes.size()));
  return true;
}

TEST(Header, BrokenHeadersAreRefusedOrStayWithinTheFile) {
  std::mt19937_64 random(2000);
  int playable = 0;
  for (const std::string& seed : seeds()) {
    ASSERT_TRUE(parse_safely(seed, LengthRule::believe_header)) << seed.substr(0, 4);
    for (int round = 0; round < 10'000; ++round) {
      std::string bytes = seed;
      mutate(bytes, random);
      const auto rule = round % 2 == 0 ? LengthRule::believe_header : LengthRule::take_what_is_there;
      playable += parse_safely(bytes, rule) ? 1 : 0;
      if (HasFailure()) FAIL() << "seed " << seed.substr(0, 4) << ", round " << round;
    }
  }
  EXPECT_GT(playable, 1000);  // else the mutations would break everything and prove nothing
}

TEST(Header, RandomBytesBehindAMagicAreSafe) {
  std::mt19937_64 random(1994);
  const auto all = seeds();
  for (int round = 0; round < 10'000; ++round) {
    std::string bytes = all[static_cast<std::size_t>(round) % all.size()].substr(0, 12 + random() % 30);
    const std::size_t size = random() % 400;
    for (std::size_t index = 0; index < size; ++index) bytes += static_cast<char>(random());
    parse_safely(bytes, LengthRule::take_what_is_there);
  }
}

TEST(Header, EveryLengthOfACutFileIsSafe) {
  for (const std::string& seed : seeds()) {
    for (std::size_t size = 0; size < seed.size(); ++size) {
      parse_safely(seed.substr(0, size), LengthRule::believe_header);
    }
  }
}

TEST(Header, AFileOfNothingButEmptyChunksEndsSoon) {
  AudioBytes chunks;
  for (int count = 0; count < 20'000; ++count) chunks.text("JUNK").le(4, 0);
  EXPECT_TRUE(contains(refusal_of(riff(chunks)).what, "more than 10000 chunks"));
}

}  // namespace
}  // namespace xrunlab::test
